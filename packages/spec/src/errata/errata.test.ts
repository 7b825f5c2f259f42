import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { document, fqlTables, operations } from "../index.ts";
import { rules } from "../lint/rules/index.ts";
import { failuresOf, type Subject } from "./testing/checks.ts";
import { departuresOf } from "./testing/departures.ts";
import { errataKinds, type Entry } from "./entry.ts";
import { readErrata } from "./read-errata.ts";
import { readReference } from "./testing/reference.ts";
import { placeOf } from "./testing/value-at.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const errata = readErrata(`${root}spec/errata`);
const entries = [...errata].flatMap(([name, list]) =>
  list.map((entry, index) => [`${name}.yaml, ${index + 1}, ${entry.place}`, entry] as const),
);
const subject: Subject = {
  document: document(),
  operations: operations(),
  tables: fqlTables,
  rules: rules.map(({ name }) => name),
  textOf: (file) => (existsSync(root + file) ? readFileSync(root + file, "utf8") : undefined),
};

describe.each(entries)("%s", (_name, entry) => {
  test("has the specification's text, the document's text and the reason", () => {
    const { departures, ...visible } = entry;
    expect(Object.keys(visible)).toEqual([
      "place",
      "kind",
      "specification",
      "document",
      "reason",
      "test",
    ]);
    expect(Object.keys(errataKinds)).toContain(entry.kind);
    for (const text of [entry.specification, entry.document, entry.reason]) {
      expect(text).toMatch(/\S/);
    }
    expect(placeOf(subject, entry.place)).toBeDefined();
    expect(departures).not.toEqual([]);
  });

  test("holds", () => {
    expect(entry.test.length).toBeGreaterThan(0);
    expect(entry.test.flatMap((check) => failuresOf(entry, check, subject))).toEqual([]);
  });
});

test("contains no duplicates", () => {
  const statements = entries.map(([, { place, document: text }]) => `${place}: ${text}`);
  expect(new Set(statements).size).toBe(statements.length);
});

describe("departures from the reference tables", () => {
  const actual = departuresOf(document(), operations(), readReference()).map(
    ({ place, what }) => `${place} ${what}`,
  );
  const patterns = entries.flatMap(([name, entry]) =>
    (entry.departures ?? []).map((pattern) => ({ name, matches: matcher(pattern), pattern })),
  );

  test("are each explained by an entry", () => {
    expect(actual.length).toBeGreaterThan(1000);
    expect(actual.filter((each) => !patterns.some(({ matches }) => matches.test(each)))).toEqual(
      [],
    );
  });

  test("exist for each that an entry explains", () => {
    expect(
      patterns
        .filter(({ matches }) => !actual.some((each) => matches.test(each)))
        .map(({ name, pattern }) => `${name}: ${pattern}`),
    ).toEqual([]);
  });
});

function matcher(pattern: NonNullable<Entry["departures"]>[number]): RegExp {
  const escaped = pattern.split("*").map((part) => part.replaceAll(/[.\\+?^$()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${escaped.join(".*")}$`);
}
