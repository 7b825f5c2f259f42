import { escape } from "./reference/html.ts";

/** Results of `npm run bench -- --json`, with the date, the commit and the machine of the run. */
export interface BenchRun {
  /** `2026-11-27`. */
  readonly date: string;
  readonly commit: string;
  readonly node: string;
  readonly machine: string;
  readonly results: readonly { readonly name: string; readonly ratio: number }[];
}

/** Results on the home page, with what is measured and what it is compared with. */
const shown = [
  ["get one by id / Prism mock", "reads of a record, compared with a mock server"],
  ["page of 100 / Prism mock", "filtered pages of 100 records, compared with a mock server"],
  ["page of 100 / engine alone", "the same, compared with SQLite alone"],
  [
    "create 2,000 in a request / the engine's own insert, by processor time",
    "new records, compared with plain inserts into SQLite",
  ],
  ["page 999 / page 1, by after", "time of page 999 by cursor, compared with page 1"],
] as const;

/** Ratios of a run of the bench. Throws if the run lacks one. */
export function benchFigures({ date, commit, node, machine, results }: BenchRun): string {
  const figures = shown.map(([name, meaning]) => {
    const result = results.find((each) => each.name === name);
    if (result === undefined) throw new Error(`scripts/bench-run.json has no result ${name}`);
    const ratio = result.ratio.toFixed(result.ratio < 2 ? 2 : 1);
    return `<div><dt>${escape(meaning)}</dt><dd>${ratio} ×</dd></div>`;
  });
  const source = `Measured on ${date} at commit <code>${escape(commit)}</code>, with Node.js ${escape(node)} on ${escape(machine)}.`;
  return `<dl class="figures">${figures.join("")}</dl>\n<p class="figures-source">${source}</p>\n`;
}
