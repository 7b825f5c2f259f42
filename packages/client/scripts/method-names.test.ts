import { describe, expect, it } from "vitest";
import { operations } from "@security-platform/spec";
import { methodNames } from "./method-names.ts";

describe("methodNames", () => {
  it("names every operation of the document, and nothing else", () => {
    const documented = operations().map(({ id }) => id as string);
    expect(Object.keys(methodNames).toSorted()).toEqual(documented.toSorted());
  });

  it("gives no name twice in a collection", () => {
    const names = operations().map(({ id, collection }) => `${collection}.${methodNames[id]}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it("holds names of one form", () => {
    for (const name of Object.values(methodNames)) expect(name).toMatch(/^[a-z][A-Za-z0-9]*$/);
  });
});
