import { expect, test } from "vitest";
import { benchFigures } from "./bench-figures.ts";

const run = {
  date: "2026-11-27",
  commit: "0123abcd",
  node: "v24.0.0",
  machine: "a laptop",
  results: [
    { name: "get one by id / Prism mock", ratio: 8.46 },
    { name: "page of 100 / Prism mock", ratio: 1.257 },
    { name: "page of 100 / engine alone", ratio: 0.76 },
    { name: "create 2,000 in a request / the engine's own insert, by processor time", ratio: 0.5 },
    { name: "page 999 / page 1, by after", ratio: 1.04 },
  ],
};

test("the figures of the bench are those of its run", () => {
  const html = benchFigures(run);
  expect(html).toContain("<dt>reads of a record, compared with a mock server</dt><dd>8.5 ×</dd>");
  expect(html).toContain("<dd>1.26 ×</dd>");
  expect(html).toContain(
    "2026-11-27 at commit <code>0123abcd</code>, with Node.js v24.0.0 on a laptop.",
  );
  expect(() => benchFigures({ ...run, results: run.results.slice(1) })).toThrow(
    "scripts/bench-run.json has no result get one by id / Prism mock",
  );
});
