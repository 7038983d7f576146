/**
 * Narrowing a list by facets: functions on data, without a page, so that tests can run them alone.
 * Within a facet one of the chosen options is enough; all facets and the name filter must hold.
 */
(() => {
  "use strict";

  /**
   * The options that the query part of an address names, by the key of their facet.
   * @param {string} search
   * @param {string[]} keys of the facets
   * @returns {Chosen}
   */
  function readChosen(search, keys) {
    const parameters = new URLSearchParams(search);
    return Object.fromEntries(keys.map((key) => [key, [...new Set(parameters.getAll(key).filter(Boolean))]]));
  }

  /**
   * The query part with these options; other parameters stay.
   * @param {string} search
   * @param {Chosen} chosen
   */
  function writeChosen(search, chosen) {
    const parameters = new URLSearchParams(search);
    for (const [key, values] of Object.entries(chosen)) {
      parameters.delete(key);
      values.forEach((value) => parameters.append(key, value));
    }
    const text = parameters.toString();
    return text && `?${text}`;
  }

  /**
   * A facet as the data of a list gives it.
   * @param {[key: string, label: string, options: [key: string, label: string, recorded: number][]]} fields
   * @returns {Facet}
   */
  const readFacet = ([key, label, options]) => ({
    key,
    label,
    options: options.map(([name, text, recorded]) => ({ key: name, label: text, recorded: Boolean(recorded) })),
  });

  /**
   * For each facet, the places of its chosen options; null where nothing is chosen. What the list does not have has no
   * place, and so matches no row.
   * @param {Facet[]} facets
   * @param {Chosen} chosen
   */
  const wantedPlaces = (facets, chosen) =>
    facets.map(({ key, options }) => {
      const keys = chosen[key] ?? [];
      return keys.length ? new Set(keys.map((name) => options.findIndex((option) => option.key === name))) : null;
    });

  /**
   * What a choice leaves, in one pass: a row that fails one filter alone still counts in the options of that filter.
   * @param {Facet[]} facets
   * @param {number[][]} rows for each row, the place of its option in each facet
   * @param {Chosen} chosen
   * @param {Set<number> | null} named the rows that the name filter leaves; null without one
   * @returns {Narrowed}
   */
  function narrow(facets, rows, chosen, named) {
    const wanted = wantedPlaces(facets, chosen);
    const byName = facets.length;
    const counts = facets.map(({ options }) => options.map(() => 0));
    /** @type {number[]} */
    const places = [];
    const alone = new Array(byName + 1).fill(0);
    const without = new Array(byName + 1).fill(0);
    rows.forEach((row, place) => {
      let failed = 0;
      let last = -1;
      for (let facet = 0; facet <= byName; facet += 1) {
        const set = facet < byName ? wanted[facet] : named;
        if (!set || set.has(facet < byName ? row[facet] : place)) alone[facet] += 1;
        else [failed, last] = [failed + 1, facet];
      }
      if (failed === 0) {
        places.push(place);
        counts.forEach((options, facet) => (options[row[facet]] += 1));
      } else if (failed === 1) {
        without[last] += 1;
        if (last < byName) counts[last][row[last]] += 1;
      }
    });
    return { places, counts, alone, without: without.map((number) => number + places.length) };
  }

  /**
   * What is chosen, an entry for each option, with its label and whether the list has it.
   * @param {Facet[]} facets
   * @param {Chosen} chosen
   */
  const chosenOptions = (facets, chosen) =>
    facets.flatMap(({ key, label, options }) =>
      (chosen[key] ?? []).map((name) => {
        const option = options.find((one) => one.key === name);
        return { facet: key, option: name, text: `${label}: ${option ? option.label : name}`, found: Boolean(option) };
      }),
    );

  /**
   * The filters in use, for `emptyText`: each facet with all that is chosen in it, then the text.
   * @param {Facet[]} facets
   * @param {Chosen} chosen
   * @param {string} query
   * @param {Narrowed} narrowed
   * @returns {Filter[]}
   */
  function filtersInUse(facets, chosen, query, { alone, without }) {
    const texts = facets.map(({ key, label, options }) => {
      const names = (chosen[key] ?? []).map((name) => options.find((option) => option.key === name)?.label ?? name);
      return names.length ? `${label}: ${names.join(" or ")}` : "";
    });
    return [...texts, query && `the name filter “${query}”`]
      .map((text, place) => ({ text, alone: alone[place], without: without[place] }))
      .filter(({ text }) => text);
  }

  /**
   * Which filter emptied a list.
   * @param {Filter[]} filters
   */
  function emptyText(filters) {
    const none = filters.filter(({ alone }) => !alone).map(({ text }) => text);
    if (filters.length === 1) return `No model is left: ${filters[0].text} matches none.`;
    if (none.length === 1) return `No model is left: ${none[0]} alone matches none.`;
    if (none.length) return `No model is left: ${none.join(" and ")} each match none, even alone.`;
    const helpful = filters
      .filter(({ without }) => without)
      .map(({ text, without }) => `removing ${text} would leave ${without}`);
    const together = "No model is left: each filter alone matches some, all together none.";
    return `${together} ${helpful.length ? sentence(helpful.join("; ")) : "Removing one alone leaves none either."}`;
  }

  /** @param {string} text */
  const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

  window.sitegenFacets = { readChosen, writeChosen, readFacet, narrow, chosenOptions, filtersInUse, emptyText };
})();
