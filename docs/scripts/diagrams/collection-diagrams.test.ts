import { completeDocument, operations } from "@security-platform/spec";
import { describe, expect, test } from "vitest";
import { collectionDiagrams, diagramSections } from "./collection-diagrams.ts";

const { schemas } = completeDocument().components;
const entries = Object.entries(collectionDiagrams);

describe.each(entries)("the diagrams of %s", (name, { records, relations, lifecycles = [] }) => {
  test("belong to a collection of the document", () => {
    expect(operations().some(({ collection }) => collection === name)).toBe(true);
  });

  test("draw records with schemas that exist, each in a relation", () => {
    for (const { schema } of Object.values(records)) {
      if (schema !== undefined) expect(schemas).toHaveProperty([schema]);
    }
    const related = new Set(relations.flatMap(([from, , to]) => [from, to]));
    expect([...related].toSorted()).toEqual(Object.keys(records).toSorted());
  });

  test("have only states of the document, except those that no one sets", () => {
    for (const { states, transitions } of lifecycles) {
      if (states === undefined) continue;
      const documentedStates = schemas[states]?.["enum"] as readonly string[];
      const drawn = new Set(transitions.flatMap(([from, , to]) => [from, to]));
      for (const state of drawn) expect(["start", "end", ...documentedStates]).toContain(state);
    }
  });

  test("have the same as text", () => {
    const html = diagramSections(name);
    for (const [from, verb, to] of relations)
      expect(html).toContain(`<li>${from} ${verb} ${to}.</li>`);
    expect(html.match(/<svg role="(?:img|group)" aria-label="/g)?.length).toBe(
      1 + lifecycles.length,
    );
    expect(html).not.toMatch(/ (?:fill|stroke|font-family)="/);
  });
});

test("a collection without diagrams has no section", () => {
  expect(diagramSections("nothing")).toBe("");
});
