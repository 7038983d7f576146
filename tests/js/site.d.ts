// What the scripts of static/js give each other through `window`, and the shapes of their data, for `make lint`.

interface ListState {
  q: string;
  /** A column, or "" for the server's order. */
  sort: string;
  order: string;
}

interface SitegenMatch {
  fold(text: string): string;
  hubId(text: string): string | null;
  terms(query: string): string[];
  findNames(names: string[], query: string): number[];
  rank(id: string, term: string): number;
  searchNames(names: string[], query: string): number[];
  marks(text: string, wanted: string[]): [string, boolean][];
  words(text: string): string[];
  searchWords(index: lunr.Index, query: string): string[];
  textValue(text: string): string | null;
  compare(a: number | string | null, b: number | string | null, order: string): number;
  readState(search: string, columns: string[]): ListState;
  writeState(search: string, state: ListState): string;
}

interface Sitegen {
  load(src: string, name: string): Promise<any>;
  element(tag: string, attributes: Record<string, string>, ...children: (Node | string)[]): HTMLElement;
  icon(name: string): Node | string;
}

interface Window {
  sitegen: Sitegen;
  sitegenMatch: SitegenMatch;
  /** Data scripts call this with what they hold. */
  sitegenData(name: string, value: unknown): void;
}
