import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { operations } from "@security-platform/spec";
import { expect, test } from "vitest";
import { operationHandlers } from "./index.ts";

const documented: readonly string[] = operations().map(({ id }) => id);

test("there is a handler for each operation of the document, and no other", () => {
  expect(documented.length).toBeGreaterThan(200);
  expect(Object.keys(operationHandlers).toSorted()).toEqual(documented.toSorted());
});

/** The lines at the level of the members in the list of a collection's handlers. Prettier indents all lists alike. */
function listedIn(collection: string): readonly string[] {
  const text = readFileSync(join(import.meta.dirname, collection, "index.ts"), "utf8");
  const [, list = ""] =
    /^export const \w+Handlers = \{\s(.*?)\}(?:;| satisfies)/ms.exec(text) ?? [];
  const lines = list.includes("\n")
    ? list.split("\n")
    : list.split(/,? /).map((name) => `  ${name}`);
  return lines.filter((line) => /^ {2}\S/.test(line));
}

const collections = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Whether a member begins with the line. */
const isFirst = (line: string): boolean => /^ *["\w.]/.test(line);

const nameOf = (member: string): string => /^ *"?([\w.-]+)/.exec(member)?.[1] ?? member;

test("the index.ts of a collection lists each operation by its id", () => {
  const listed = collections.flatMap((collection) =>
    listedIn(collection).filter(isFirst).map(nameOf),
  );
  expect(listed.toSorted()).toEqual(documented.toSorted());
});

test.each(collections)(
  "%s: a handler of several statements has a file of its own",
  (collection) => {
    const inline = listedIn(collection).filter((member) => /(=>|\)) \{$/.test(member));
    expect(inline.map(nameOf)).toEqual([]);
  },
);

test.each(collections)("%s: a file with a handler is named after its operation", (collection) => {
  const folder = join(import.meta.dirname, collection);
  const wrong = readdirSync(folder)
    .filter((name) => name.endsWith(".ts") && name !== "index.ts")
    .filter((name) => /: Handler</.test(readFileSync(join(folder, name), "utf8")))
    .filter((name) => !documented.includes(name.slice(0, -".ts".length)));
  expect(wrong).toEqual([]);
});
