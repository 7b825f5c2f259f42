import { servedDocument, type OperationId } from "@security-platform/spec";
import { expect, test } from "vitest";
import { ApiError } from "../../foundation/errors.ts";
import { requestReader } from "./request.ts";

/** The problems of a request as the caller receives them. */
function problems(id: OperationId, body: unknown, query: object = {}): readonly string[] {
  try {
    const operation = servedDocument().operations.find((each) => each.id === id);
    if (operation === undefined) throw new Error(id);
    requestReader(operation)({ query, params: {}, headers: {}, body });
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.entries.map(({ message }) => message);
  }
}

const node = (operator: object) => ({
  id: "query",
  res_id: "out",
  nodes: [{ id: "out", res_id: "out", operator }],
});

test("an alternative is selected by its tag, and only that one is checked", () => {
  expect(problems("indicator.sdmf-query.v1", node({ type: "limit", input: "in" }))).toEqual([
    "body.nodes[0].operator.limit: is required",
  ]);
});

test.each([
  [{ type: "join" }, ["left: is required", "right: is required", "on: is required"]],
  [{ type: "join", left: "a", right: "b", on: [] }, ["on: expected 1 to 10 items, got []"]],
  [
    { type: "join", right: "b", on: [{ left: "x" }] },
    ["left: is required", "on[0].right: is required"],
  ],
  [
    { type: "group", by: [1] },
    ["input: is required", "measures: is required", "by[0]: expected a text, got 1"],
  ],
  [
    { type: "project", input: 5, columns: [] },
    ["input: expected a text, got 5", expect.stringMatching(/^columns: /)],
  ],
])("an alternative that contains others is also selected by its tag: %j", (operator, expected) => {
  expect(
    problems("indicator.sdmf-query.v1", node(operator)).map((message) =>
      message.replace("body.nodes[0].operator.", ""),
    ),
  ).toEqual(expected);
});

test("an unknown tag is reported with the known ones and the nearest", () => {
  expect(problems("indicator.sdmf-query.v1", node({ type: "fliter", input: "in" }))).toEqual([
    expect.stringMatching(
      /^body\.nodes\[0\]\.operator\.type: expected one of .*, got "fliter"; did you mean filter\?$/,
    ),
  ]);
});

test("an alternative is selected by the type of the value", () => {
  expect(problems("indicator.aggregate.v1", { name: "by type", type: "terms", size: -1 })).toEqual([
    expect.stringMatching(/^body\.size: expected an integer .*got -1$/),
  ]);
  expect(problems("indicator.aggregate.v1", [{ name: "by type", type: "tems" }])).toEqual([
    expect.stringMatching(/^body\[0\]\.type: expected one of .*did you mean terms\?$/),
  ]);
});

test("an alternative is selected by its members", () => {
  const update = (...values: readonly unknown[]) => ({
    resources: [
      {
        id: "0".repeat(32),
        settings: values.map((value) => ({ id: "OnSensorMLSlider", value })),
      },
    ],
  });
  const at = "body.resources[0].settings";
  expect(
    problems(
      "updatePreventionPolicies",
      update({ enabled: "yes" }, { detection: "CAUTIUS", prevention: "DISABLED" }, true, {}),
    ),
  ).toEqual([
    expect.stringMatching(
      /^body.*settings\[0\]\.value\.enabled: expected true or false, got "yes"$/,
    ),
    expect.stringMatching(
      /settings\[1\]\.value\.detection: expected one of .*did you mean CAUTIOUS\?$/,
    ),
    `${at}[2].value: expected an object, got true`,
    `${at}[3].value: needs one of enabled and detection`,
  ]);
});

test("mutually exclusive members are named", () => {
  expect(problems("indicator.update.v1", {})).toEqual([
    "body: needs one of indicators and bulk_update",
  ]);
  expect(
    problems("indicator.update.v1", {
      indicators: [{ id: "0".repeat(64) }],
      bulk_update: { filter: "type:'domain'", severity: "low" },
    }),
  ).toEqual(["body: takes one of indicators and bulk_update, not 2"]);
});

test("problems beside an alternative are reported with it", () => {
  const body = { indicators: [{ id: "0".repeat(64) }], bulk_update: null };
  expect(problems("indicator.update.v1", body)).toContain(
    "body.bulk_update: expected an object, got null",
  );
});

test("an empty text among the allowed values is visible", () => {
  expect(
    problems("indicator.create.v1", {
      indicators: [{ type: "domain", value: "a.example", severity: "hgih", platforms: ["mac"] }],
    }),
  ).toContainEqual(expect.stringMatching(/severity: expected one of .*"".*did you mean high\?$/));
});

test("an alias is replaced by the documented name, and both at once are rejected", () => {
  const range = (bounds: object) => ({
    name: "ranges",
    type: "range",
    field: "severity_number",
    ranges: [bounds],
  });
  const body = range({ From: 1, To: 50 });
  expect(problems("indicator.aggregate.v1", body)).toEqual([]);
  expect(body.ranges).toEqual([{ from: 1, to: 50 }]);
  expect(problems("indicator.aggregate.v1", range({ From: 1, from: 1 }))).toContain(
    "body.ranges[0].From: is an alias of from; send only one of them",
  );
});
