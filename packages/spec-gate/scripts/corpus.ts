/**
 * Regenerates the data of the page "How the gate judges": `corpus.tsv` and `judging.json`.
 *
 * - `--new`: `redocly diff` runs only for kinds that are missing in corpus.tsv.
 * - `--oasdiff PROGRAM --oasdiff-version VERSION`: judges the families and the real pairs with it, too. A program
 *   that `go install github.com/oasdiff/oasdiff@v1.37.0` builds does not know its version.
 * - `--repositories FOLDER`: judges the real pairs of `real-pairs.json`; the folder has a bare clone of each
 *   repository, `OWNER+NAME/repo`. Documents stay in a temporary folder.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { judgedFamilies, judgedOracle } from "../tests/judging/families.ts";
import { withOasdiff } from "../tests/judging/oasdiff.ts";
import { judgedPairs, type RealPair } from "../tests/judging/real-pairs.ts";
import type { Judging } from "../tests/judging/model.ts";
import { writeCorpusTable } from "./corpus-table.ts";

const { values } = parseArgs({
  options: {
    new: { type: "boolean", default: false },
    oasdiff: { type: "string" },
    "oasdiff-version": { type: "string", default: "" },
    repositories: { type: "string" },
  },
});

const file = new URL("../judging.json", import.meta.url);
const known = JSON.parse(readFileSync(file, "utf8")) as Judging;
const real = JSON.parse(
  readFileSync(new URL("real-pairs.json", import.meta.url), "utf8"),
) as readonly RealPair[];

const families = judgedFamilies.map(({ judge }) => judge());
const judging: Judging = {
  oasdiff:
    values.oasdiff === undefined
      ? known.oasdiff
      : withOasdiff(values.oasdiff, values["oasdiff-version"]),
  families,
  oracle: judgedOracle.map(({ judge }) => judge()),
  pairs:
    values.repositories === undefined
      ? known.pairs
      : judgedPairs(real, values.repositories, values.oasdiff),
};
writeFileSync(file, `${JSON.stringify(judging, null, 2)}\n`);
await writeCorpusTable(values.new);
