import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { formats } from "../src/command-line.ts";
import { categories } from "../src/rules/category.ts";
import { rules } from "../src/rules/rules.ts";
import type { JsonObject } from "../src/json.ts";
import { one, project } from "./settings-project.ts";

describe("a wrong configuration", () => {
  test.each([
    ["severity: {}", "1:1: severity: there is no such setting; did you mean severities?"],
    ["severites: {}", "1:1: severites: there is no such setting; did you mean severities?"],
    [
      "severities:\n  rules:\n    propery-removed: minor",
      "3:5: severities.rules.propery-removed: there is no rule propery-removed; did you mean property-removed?",
    ],
    [
      "severities:\n  categories: { sauce: minor }",
      "2:17: severities.categories.sauce: there is no category sauce; did you mean source?",
    ],
    [
      "severities: { rules: { property-removed: majr } }",
      "1:24: severities.rules.property-removed: expected one of none, patch, minor and major, got majr; did you mean major?",
    ],
    [
      "severities: { rules: { cannot-judge: minor } }",
      "1:24: severities.rules.cannot-judge: cannot-judge is a reason why a run fails, which has no severity; remove it",
    ],
    ["stripPrefixes: /v1", "1:1: stripPrefixes: expected a list of starts of paths, got /v1"],
    [
      "stripPrefixes:\n  - v1",
      "2:5: stripPrefixes[0]: expected the start of a path, such as /api/v1, got v1",
    ],
    [
      "leaveOut: { marked: [internal] }",
      "1:22: leaveOut.marked[0]: expected the name of an extension, such as x-internal, got internal",
    ],
    [
      "version: { check: yes please }",
      "1:12: version.check: expected true or false, got yes please",
    ],
    [
      "documents:\n  - { base: a.json }",
      "2:5: documents[0]: expected an object with base and revision, but revision is absent",
    ],
    ["documents: []", "1:1: documents: expected a list of one or more documents, got []"],
    [
      "severities: { rules: { property-removed: { request: majr } } }",
      "1:44: severities.rules.property-removed.request: expected one of none, patch, minor and major, got majr; did you mean major?",
    ],
    [
      "severities: { rules: { property-removed: { requests: major } } }",
      "1:44: severities.rules.property-removed.requests: there is no such setting; did you mean request?",
    ],
    [
      "severities: { rules: { property-removed: {} } }",
      "1:24: severities.rules.property-removed: expected an object with request and response, got {}",
    ],
    [
      "- severities",
      'the file: expected settings such as severities or documents, got ["severities"]',
    ],
    ["a: [", "is neither JSON nor YAML"],
  ])(
    "%s is answered in every format with the place and what was expected",
    async (text, message) => {
      const { run } = project({ "a.json": one, "b.json": one, "spec-gate.yaml": text });
      for (const format of formats) {
        const { code, stdout, stderr } = await run(["a.json", "b.json", "--format", format]);
        expect([code, stderr], format).toEqual([2, expect.stringContaining(message)]);
        expect(stdout === "", format).toBe(format === "text");
      }
    },
  );

  test("has a schema that names every rule and category", () => {
    const schema = JSON.parse(
      readFileSync(new URL("../config.schema.json", import.meta.url), "utf8"),
    );
    const { properties } = schema.properties.severities;
    expect(properties.rules.propertyNames.enum).toEqual(Object.keys(rules));
    expect(properties.categories.propertyNames.enum).toEqual(categories);
  });

  test("is none for every rule that `spec-gate rules` lists", async () => {
    const { run, path } = project({ "a.json": one, "b.json": one });
    const listed = JSON.parse((await run(["rules", "--format", "json"])).stdout) as JsonObject[];
    const severities = listed.map(({ rule }) => `    ${String(rule)}: minor\n`).join("");
    writeFileSync(path("spec-gate.yaml"), `severities:\n  rules:\n${severities}`);
    expect(await run(["a.json", "b.json"])).toMatchObject({ code: 0, stderr: "" });
  });

  test("without documents asks for them", async () => {
    const { stderr } = await project({ "spec-gate.yaml": "version: { check: true }" }).run([]);
    expect(stderr).toMatch(
      /expected two documents, BASE and REVISION, or documents in .*; see --help/,
    );
  });
});
