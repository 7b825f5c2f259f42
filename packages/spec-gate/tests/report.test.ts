import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { compareDocuments, resultOf } from "../src/compare/compare-documents.ts";
import { gate, type GateOptions } from "../src/gate.ts";
import type { Json, JsonObject } from "../src/json.ts";
import { parseApprovals } from "../src/policy/approvals.ts";
import { documentOf } from "../src/read/load-document.ts";
import { reports } from "../src/report/formats.ts";
import { problemReport, reportOf, type Report } from "../src/report/model.ts";
import { categories, categoryOf } from "../src/rules/category.ts";
import { rules } from "../src/rules/rules.ts";
import { documentWith, jsonBody, testDay } from "../src/testing/documents.ts";

const reportSchema = JSON.parse(
  readFileSync(new URL("../report.schema.json", import.meta.url), "utf8"),
) as JsonObject;
const validate = new Ajv2020({ strict: false }).compile(reportSchema);

async function reported(
  base: JsonObject,
  revision: JsonObject,
  options: Partial<GateOptions> = {},
): Promise<Report> {
  const judgement = await gate(documentOf(base, "old.json"), documentOf(revision, "new.json"), {
    today: testDay,
    folder: process.cwd(),
    ...options,
  });
  return reportOf(judgement);
}

const done = { description: "Done." };
const thing = (properties: JsonObject, more: JsonObject = {}) => ({
  type: "object",
  properties,
  ...more,
});

/** Operations that all answer with one component. */
const answering = (count: number, schemas: JsonObject, more: JsonObject = {}) =>
  documentWith({
    paths: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `/p${index}`,
        {
          get: {
            responses: {
              200: { ...done, ...jsonBody({ $ref: "#/components/schemas/Thing" }) },
            },
            ...more,
          },
        },
      ]),
    ),
    components: { schemas },
  });

describe("the order of findings", () => {
  test("goes by the damage, not by the place in the document", async () => {
    const operation = (schema: Json, more: JsonObject = {}) => ({
      requestBody: jsonBody(schema),
      responses: { 200: { ...done, ...jsonBody(schema) } },
      ...more,
    });
    const base = documentWith({
      servers: [{ url: "https://a.example" }],
      paths: {
        "/a": { post: operation(thing({ size: { type: "string", maxLength: 9 } })) },
        "/b": { post: operation(thing({ size: { type: "string" } })) },
        "/c": { post: operation(thing({ size: {}, name: {} })) },
        "/z": { post: operation({}) },
      },
    });
    const revision = documentWith({
      servers: [{ url: "https://b.example" }],
      paths: {
        "/a": { post: operation(thing({ size: { type: "string", maxLength: 5 } })) },
        "/b": { post: operation(thing({ size: { type: "array" } })) },
        "/c": {
          post: operation(thing({ size: {} }, { required: ["size"] }), {
            security: [{ key: [] }],
          }),
        },
      },
    });
    const { causes } = await reported(base, revision);
    expect(causes.filter(({ breaks }) => breaks).map(({ category }) => category)).toEqual([
      "operation",
      "path",
      "security",
      "input",
      "input",
      "output",
      "type",
      "type",
      "constraint",
    ]);
  });

  test("knows a category for every rule", () => {
    const found = Object.keys(rules).map((rule) => categoryOf(rule, "response"));
    expect(new Set([...found, "input"])).toEqual(new Set(categories));
  });
});

describe("one cause", () => {
  test("is one row with all its places and operations", async () => {
    const members = (format?: string) =>
      thing(
        Object.fromEntries(
          Array.from({ length: 8 }, (_, index) => [
            `at${index}`,
            { type: "string", ...(format === undefined ? {} : { format }) },
          ]),
        ),
      );
    const report = await reported(
      answering(7, { Thing: members("date-time") }),
      answering(7, { Thing: members() }),
    );
    expect(report.causes).toMatchObject([{ rule: "format-removed" }]);
    expect(report.causes[0]?.changes).toHaveLength(8);
    expect(report.causes[0]?.operations).toHaveLength(7);
    const text = reports.text(report);
    expect(text.match(/the format date-time is no longer declared/g)).toHaveLength(1);
    expect(text).toContain("3 more");
    expect(text).toContain("also in GET /p1, GET /p2");
    const html = reports.html(report);
    for (let index = 0; index < 8; index += 1) expect(html).toContain(`properties/at${index}`);
    expect(html).toContain("7 operations");
  });
});

describe("a report that is too long for a comment", () => {
  const big = async (count: number) => {
    const names = Array.from({ length: count }, (_, index) => `member_${index}_${"x".repeat(200)}`);
    const members = Object.fromEntries(names.map((name) => [name, {}]));
    const base = answering(1, { Thing: thing(members) }, { parameters: [] });
    const revision = documentWith({
      paths: {
        ...(answering(1, {})["paths"] as JsonObject),
        "/p0": {
          get: {
            responses: {
              200: { ...done, ...jsonBody({ $ref: "#/components/schemas/Thing" }) },
            },
            parameters: [{ name: "last", in: "query", required: true, schema: {} }],
          },
        },
      },
      components: { schemas: { Thing: thing({}) } },
    });
    return reported(base, revision);
  };

  test("keeps the only finding of a rule, and counts by rule what it leaves out", async () => {
    const text = reports.markdown(await big(3_000));
    expect(text.length).toBeLessThan(65_536);
    expect(text).toContain("required-parameter-added");
    const [, left] = /Not shown, see the full report: (\d+) × `property-removed`/.exec(text) ?? [];
    const shown = text.split("\n").filter((line) => /^\| .*`property-removed`/.test(line));
    expect(shown.length + Number(left)).toBe(3_000);
  });

  test("is annotated by the ten worst, and the others are plain lines", async () => {
    const lines = reports.github(await big(30)).split("\n");
    expect(lines.filter((line) => line.startsWith("::error"))).toHaveLength(10);
    expect(lines[0]).toContain("required-parameter-added");
    expect(lines.filter((line) => line.startsWith("  property-removed: "))).toHaveLength(21);
  });
});

describe("a change of type", () => {
  test("is the only finding at its place", async () => {
    const base = answering(1, { Thing: thing({ a: { type: ["string", "null"], format: "ip" } }) });
    const object = { oneOf: [thing({ t: { enum: ["x"] } }, { required: ["t"] })], default: {} };
    const revision = answering(1, { Thing: thing({ a: object }) });
    const { changes } = await reported(base, revision);
    expect(changes.map(({ rule }) => rule)).toEqual(["type-changed"]);
  });

  test.each([
    [{ not: { type: "integer" } }, "not integer"],
    [{ not: { type: ["integer", "null"] } }, "not integer"],
    [{}, "any"],
  ])("names the type %o", async (after, name) => {
    const [base, revision] = [{ type: "string" }, after].map((each) =>
      answering(1, { Thing: thing({ a: each }) }),
    );
    const { changes } = await reported(base ?? {}, revision ?? {});
    expect(changes[0]?.message).toContain(`from string to ${name}`);
  });
});

const removed = [
  answering(2, { Thing: thing({ a: {}, b: {} }) }),
  answering(2, { Thing: thing({ a: {} }) }),
] as const;
const approval = `- { rule: property-removed, place: GET /p1, reason: Nobody reads it., expiry: 2027-01-01 }`;
const approvals = (text: string) => ({ now: parseApprovals(text, "a.yaml"), before: [] });

describe("an approved run", () => {
  test("is headed as approved in every format", async () => {
    const report = await reported(...removed, { approvals: approvals(approval) });
    expect(report).toMatchObject({
      outcome: "approved",
      exitCode: 0,
      verdict: "major",
      verdictAfterApprovals: "none",
      changes: [{ breaks: false, approval: { reason: "Nobody reads it.", expiry: "2027-01-01" } }],
    });
    for (const format of ["text", "markdown", "html", "junit", "sarif"] as const) {
      const text = reports[format](report);
      expect(text, format).not.toMatch(/breaks clients|Breaking \(/);
      expect(text, format).toContain("Nobody reads it.");
    }
  });
});

test("failures have their reasons in every format", async () => {
  const report = await reported(...removed, {
    approvals: approvals(`${approval}\n${approval.replace("property-removed", "type-changed")}`),
    checkVersion: true,
  });
  expect(report).toMatchObject({ outcome: "failed", exitCode: 1 });
  for (const [format, write] of Object.entries(reports)) {
    const text = write(report);
    for (const part of ["approval-unused", "matches no breaking change", "version-not-raised"]) {
      expect(text, format).toContain(part);
    }
  }
});

test("every breaking finding has both places, both values, who breaks, a fix and an entry", async () => {
  const report = await reported(...removed);
  for (const format of ["text", "markdown", "html"] as const) {
    const text = reports[format](report);
    const [change] = report.changes;
    for (const part of [change?.who, change?.fix, "old.json:1:1", "new.json:1:1", "absent"]) {
      expect(text, format).toContain(part);
    }
    expect(text, format).toContain("rule: property-removed, place: ");
  }
});

test("the values of a change of security are the requirements, not the whole operation", async () => {
  const secured = answering(1, { Thing: {} }, { security: [{ key: [] }], summary: "Other." });
  const { changes } = await reported(answering(1, { Thing: {} }), secured);
  expect(changes[0]?.values).toEqual({ base: "{}", revision: '{"security": [{"key": []}]}' });
});

describe("the JSON report", () => {
  test("matches the published schema, whatever the outcome", async () => {
    const all = [
      await reported(...removed),
      await reported(removed[0], removed[0]),
      await reported(...removed, { approvals: approvals(approval), checkVersion: true }),
      problemReport("old.json", "new.json", "new.json does not exist"),
    ];
    for (const report of all) {
      expect(validate(JSON.parse(reports.json(report))), JSON.stringify(validate.errors)).toBe(
        true,
      );
    }
    expect(validate({ ...all[0], verdict: "huge" })).toBe(false);
  });
});

test("a finding has the same fingerprint in a later run", async () => {
  const prints = async (more: JsonObject) => {
    const report = await reported({ ...more, ...removed[0] }, { ...more, ...removed[1] });
    return report.changes.map(({ fingerprint }) => fingerprint);
  };
  expect(await prints({})).toEqual(await prints({ tags: [] }));
});

test("findings of the comparison name the operation, the part and the member", () => {
  const { changes } = compareDocuments(
    documentOf(removed[0], "old.json"),
    documentOf(removed[1], "new.json"),
    { today: testDay },
  );
  expect(resultOf(changes).changes).toMatchObject([
    {
      operations: ["GET /p0", "GET /p1"],
      parts: [
        { operation: "GET /p0", name: "response 200" },
        { operation: "GET /p1", name: "response 200" },
      ],
    },
  ]);
});
