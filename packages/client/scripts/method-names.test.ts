import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { operations } from "@security-platform/spec";
import { methodNames } from "./method-names.ts";

describe("methodNames", () => {
  it("names every operation of the document, and nothing else", () => {
    const documented = operations().map(({ id }) => id as string);
    expect(Object.keys(methodNames).toSorted()).toEqual(documented.toSorted());
  });

  it("has no duplicate names in a collection", () => {
    const names = operations().map(({ id, collection }) => `${collection}.${methodNames[id]}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it("matches the table of the README", () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const rows = [...readme.matchAll(/^\| `(\w+)` +\| `([^`]+)` +\|$/gm)];
    const readmeNames = rows.map(([, name, id]) => [id, name]);
    const expectedNames = operations()
      .filter(({ collection }) => collection === "ioc")
      .map(({ id }) => [id, methodNames[id]]);
    expect(Object.fromEntries(readmeNames)).toEqual(Object.fromEntries(expectedNames));
  });

  it("contains names in camel case only", () => {
    for (const name of Object.values(methodNames)) expect(name).toMatch(/^[a-z][A-Za-z0-9]*$/);
  });
});
