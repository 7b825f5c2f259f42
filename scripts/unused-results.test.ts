/** @module-tag exhaustive */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sourceFiles } from "./source-files.ts";
import { mayBeRemoved, removedCalls, unusedResults } from "./unused-results.ts";

const root = join(import.meta.dirname, "..");
const files = readdirSync(join(root, "packages")).flatMap((name) =>
  sourceFiles(root, `packages/${name}/src`).filter((file) => !file.endsWith(".d.ts")),
);

test("no source calls a pure function and leaves its result unused", () => {
  expect(files.length).toBeGreaterThan(1_000);
  const found = files.flatMap((file) =>
    unusedResults(file, readFileSync(join(root, file), "utf8"))
      .filter(({ callee }) => mayBeRemoved(callee))
      .map(({ callee, line }) => `${file}:${line}: ${callee}`),
  );
  expect(found).toEqual([]);
});

test("the bundler removes no call of a source", async () => {
  expect(await removedCalls(root, files)).toEqual([]);
});

test("calls with unused results are found wherever they stand", () => {
  const text = `
    decodeURIComponent(text);
    void new URL(text);
    try { await JSON.parse(text); } catch { failed = true; }
    if (strict) for (const each of all) (BigInt(each), Intl.getCanonicalLocales(each));
    strict && new RegExp(text);
    strict ? Temporal.Instant.from(text) : text!.normalize(form);
    new (Intl.DateTimeFormat)(text) as unknown;
    (() => { structuredClone(text); })();
    for (const each of used(decodeURI(text))) keep(atob(each));
  `;
  const found = unusedResults("text.ts", text).map(({ callee }) => callee);
  expect(found.filter((callee) => !callee.startsWith("(() =>"))).toEqual([
    "decodeURIComponent",
    "URL",
    "JSON.parse",
    "BigInt",
    "Intl.getCanonicalLocales",
    "RegExp",
    "Temporal.Instant.from",
    "text!.normalize",
    "(Intl.DateTimeFormat)",
    "structuredClone",
    "keep",
  ]);
});

test.each([
  "decodeURIComponent",
  "URL",
  "JSON.parse",
  "Intl.getCanonicalLocales",
  "structuredClone",
  "text.normalize",
  "date.toISOString",
  "globalThis.URL",
  "(Intl.DateTimeFormat)",
])("a bundler may remove a call of %s", (callee) => {
  expect(mayBeRemoved(callee)).toBe(true);
});

test.each([
  "console.log",
  "setTimeout",
  "Object.freeze",
  "Object.values(all).forEach",
  "list.push",
  "save",
  "this.normalized",
])("no bundler may remove a call of %s", (callee) => {
  expect(mayBeRemoved(callee)).toBe(false);
});

test("a call that the bundler removes is reported", async () => {
  const folder = mkdtempSync(join(tmpdir(), "removed-calls-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, "check.ts"),
    `export const isText = (text: string): boolean => {
      try {
        decodeURIComponent(text);
        console.log(text);
        return true;
      } catch {
        return false;
      }
    };`,
  );
  expect(await removedCalls(folder, ["check.ts"])).toEqual([
    "check.ts: 1 of decodeURIComponent (line 3), console.log (line 4)",
  ]);
});
