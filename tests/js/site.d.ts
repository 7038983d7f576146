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

/** A facet of a list and its options, as `sitegen.pages.facets` gives them. */
interface Option {
  key: string;
  label: string;
  /** False where the label says that nothing is. */
  recorded: boolean;
}

interface Facet {
  key: string;
  label: string;
  options: Option[];
}

/** The keys of chosen options, by the key of their facet. */
type Chosen = Record<string, string[]>;

interface ListView extends ListState {
  chosen: Chosen;
}

interface Narrowed {
  /** Of the rows that are left, in the order of the list. */
  places: number[];
  /** For each facet, for each of its options: rows under all other filters. */
  counts: number[][];
  /** For each facet, and then the name filter: rows that it leaves by itself, and rows that are left without it. */
  alone: number[];
  without: number[];
}

interface Filter {
  text: string;
  alone: number;
  without: number;
}

interface SitegenFacets {
  readChosen(search: string, keys: string[]): Chosen;
  writeChosen(search: string, chosen: Chosen): string;
  readFacet(fields: [string, string, [string, string, number][]]): Facet;
  narrow(facets: Facet[], rows: number[][], chosen: Chosen, named: Set<number> | null): Narrowed;
  chosenOptions(facets: Facet[], chosen: Chosen): { facet: string; option: string; text: string; found: boolean }[];
  filtersInUse(facets: Facet[], chosen: Chosen, query: string, narrowed: Narrowed): Filter[];
  emptyText(filters: Filter[]): string;
}

/** A cell: its words and, where it has one, its number. */
type CellData = [text: string, value: number | null];

interface RowStatus {
  key: string;
  label: string;
  tone: string;
  check: string | null;
  checkKey: string;
  disagree: number;
  reasonKind: string | null;
  reason: string | null;
}

interface RowData {
  rank: number | null;
  name: string;
  path: string;
  status: RowStatus;
  elsewhere: [text: string, path: string] | null;
  pair: [text: string, path: string, order: number] | null;
  cores: CellData;
  memory: CellData;
  wall: CellData;
  task: string | null;
  tested: string | null;
  downloads: CellData | null;
  likes: CellData | null;
  note: string | null;
  /** Of a comparison: words and order of the bucket, its key, what else differs, and where all changes are. */
  change: [label: string, order: number, key: string, notes: string[], changes: string | null];
  before: RowStatus;
  beforePath: string | null;
  nowPath?: string | null;
  coresBefore?: CellData | null;
  /** Of the table of models and pairs: for each pair, the newest first. */
  cells: { status: RowStatus; path: string | null }[];
  /** For each facet, the place of the row's option. */
  options: number[];
}

interface SitegenRows {
  rowReader(data: { fields?: string[]; statuses?: unknown[][]; files?: string[] }): (values: unknown[]) => RowData;
  dataValue(data: RowData, column: string): number | string | null;
  cellValue(row: HTMLTableRowElement, column: string): number | string | null;
  makeRow(data: RowData, shape: HTMLTableRowElement, folder: string): HTMLTableRowElement;
}

/** A model of a list: its folded id, its data, its place in each facet, what it is sorted by, and its row. */
interface Entry {
  name: string;
  data: RowData | null;
  options: number[];
  value(column: string): number | string | null;
  row(): HTMLTableRowElement;
}

interface Loaded {
  failed: boolean;
  facets: Facet[];
  entries: Entry[];
}

interface ListData {
  folder: string;
  total: number;
  served: HTMLTableRowElement[];
  started(): boolean;
  models(): Promise<Loaded>;
  again(): Promise<Loaded>;
  select(all: Loaded, view: ListView): { narrowed: Narrowed; models: Entry[] };
}

interface BarState {
  facets: Facet[];
  counts: number[][];
  chosen: Chosen;
}

interface SitegenBar {
  facetBar(
    bar: HTMLElement,
    ready: () => Promise<boolean>,
    choose: (facet: string, options: string[]) => void,
  ): { update(next: BarState): void };
  showChips(list: HTMLElement, filters: { text: string; remove: () => void }[], after: HTMLElement): void;
}

type FileValue = string | number | boolean | null;

interface FileRow {
  data: RowData;
  address(path: string): string;
  option(facet: string): Option;
}

interface FileTable {
  names: string[];
  rows: FileValue[][];
}

interface SitegenFile {
  tableOf(rows: RowData[], facets: Facet[], columns: string[], address: (path: string) => string): FileTable;
  csv(table: FileTable): string;
  json(table: FileTable, about: { list: string; address: string }): string;
  addresses(here: string, root: string, canonical: string | null): (href: string) => string;
  download(
    kind: string,
    name: string,
    list: { rows: RowData[]; facets: Facet[]; columns: string[]; folder: string },
  ): void;
}

/** Compiler and library version, in words. */
interface Versions {
  compiler: string;
  library: string;
}

interface Pair extends Versions {
  libraryName: string;
  compilerRank: number;
  libraryRank: number;
}

interface SitegenVersions {
  nearest<T extends Pair>(pairs: T[], wanted: Versions): T[];
}

interface Sitegen {
  load(src: string, name: string): Promise<any>;
  element(tag: string, attributes: Record<string, string>, ...children: (Node | string)[]): HTMLElement;
  icon(name: string): Node | string;
}

/** An id that an address may mean, and what follows it there. */
interface Asked {
  id: string;
  rest: string[];
  exact: boolean;
}

/** The models: ids, folders, and earlier ids with the places of the present ones. */
interface Names {
  ids: string[];
  folders: string[];
  was: [string, number][];
}

interface SitegenNotFound {
  asked(parts: string[]): Asked[];
  answer(path: string, root: string, names: Names): { page: string | null; places: number[] };
  nearest(ids: string[], text: string): number[];
}

interface Window {
  sitegenNotFound: SitegenNotFound;
  sitegen: Sitegen;
  sitegenMatch: SitegenMatch;
  sitegenFacets: SitegenFacets;
  sitegenRows: SitegenRows;
  sitegenList: { listData(table: HTMLTableElement): ListData };
  sitegenFile: SitegenFile;
  sitegenBar: SitegenBar;
  sitegenVersions: SitegenVersions;
  /** Data scripts call this with what they hold. */
  sitegenData(name: string, value: unknown): void;
}
