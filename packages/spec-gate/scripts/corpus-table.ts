/**
 * Writes corpus.tsv: for each kind of edit of the real document, the verdict of this gate and
 * of `redocly diff` at one place, and the level that oasdiff documents. Takes minutes, because each
 * kind needs a process.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { isObject, type Json, type JsonObject } from "../src/json.ts";
import { documentOf } from "../src/read/load-document.ts";
import { real } from "../tests/corpus/document.ts";
import { judged, kinds } from "../tests/corpus/judge.ts";
import { picked } from "../tests/corpus/kind.ts";
import { readTable } from "../tests/oasdiff/table.ts";
import { redoclyDiff } from "./redocly-diff.ts";

const seed = 20261122;
const levels = new Map(
  readTable(readFileSync(new URL("../oasdiff.tsv", import.meta.url), "utf8")).map(
    ({ check, level }) => [check, level],
  ),
);

const file = new URL("../corpus.tsv", import.meta.url);
/** Only the paths that differ, so that the comparison is fast. */
function reduced(root: JsonObject, other: JsonObject): JsonObject {
  const [paths, others] = [root["paths"], other["paths"]].map((each) =>
    isObject(each) ? each : {},
  );
  const kept = Object.entries(paths ?? {}).filter(([path, item]) => others?.[path] !== item);
  return {
    ...root,
    paths: Object.fromEntries(kept.length === 0 ? Object.entries(paths ?? {}).slice(0, 1) : kept),
  };
}

/** Removes unused components. */
function pruned(root: JsonObject): JsonObject {
  const { components, ...others } = root;
  const reached = new Set<string>();
  const visit = (node: Json | undefined): void => {
    for (const [, kind = "", name = ""] of JSON.stringify(node ?? null).matchAll(
      /"#\/components\/(\w+)\/([^"/]+)/g,
    )) {
      const key = `${kind}/${name}`;
      if (reached.has(key)) continue;
      reached.add(key);
      const all = isObject(components) ? components[kind] : undefined;
      visit(isObject(all) ? all[name] : undefined);
    }
  };
  visit(others);
  const kept = Object.entries(isObject(components) ? components : {}).map(([kind, all]) => [
    kind,
    kind === "securitySchemes" || !isObject(all)
      ? all
      : Object.fromEntries(Object.entries(all).filter(([name]) => reached.has(`${kind}/${name}`))),
  ]);
  return { ...others, components: Object.fromEntries(kept) as JsonObject };
}

/** `onlyNew`: `redocly diff` runs only for kinds that are missing in the table. */
export async function writeCorpusTable(onlyNew: boolean): Promise<void> {
  const known = onlyNew ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  const knownEngines = new Map(
    known.map((row) => {
      const [name = "", , , engine = ""] = row.split("\t");
      return [name, engine];
    }),
  );
  const rows: string[] = [
    ["kind", "expected", "spec-gate", "redocly diff", "oasdiff check", "oasdiff level"].join("\t"),
  ];
  for (const kind of kinds) {
    const [place = []] = picked(kind, 1, seed);
    const root = kind.apply(place);
    const before = documentOf(pruned(reduced(real.root, root)), "base.json");
    const after = documentOf(pruned(reduced(root, real.root)), "revision.json");
    const earlier = knownEngines.get(kind.name);
    const engine =
      earlier !== undefined && earlier !== "fails"
        ? earlier
        : await redoclyDiff(before, after).catch(() => "fails");
    const level = levels.get(kind.oasdiff ?? "") ?? "";
    const check = level === "" ? "" : (kind.oasdiff ?? "");
    rows.push([kind.name, kind.expected, judged(root).verdict, engine, check, level].join("\t"));
    process.stderr.write(".");
  }
  writeFileSync(file, `${rows.join("\n")}\n`);
}
