import { expect, test } from "vitest";
import { ApiError } from "../../../foundation/errors.ts";
import { planQuery } from "./plan.ts";
import type { SdmfNode } from "./step.ts";
import { node, now, source } from "../../../../tests/support/sdmf-table.ts";

function problems(nodes: readonly SdmfNode[], result: string): readonly string[] {
  try {
    planQuery(nodes, result, now);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.status).toBe(400);
    return error.entries.map(({ message }) => message);
  }
}

const all = source("all", "indicators");

test("nodes may be in any order, and are named by id or res_id", () => {
  const first = node("n", { type: "limit", input: "rows", limit: 1 });
  expect(problems([first, { ...all, res_id: "rows" }], "n")).toEqual([]);
  expect(problems([first, { ...all, id: "rows" }], "n")).toEqual([]);
});

test("an unknown result", () => {
  expect(problems([all], "al")).toEqual(["body.res_id: unknown node al; did you mean all?"]);
});

test("a missing input", () => {
  const lost = node("lost", { type: "limit", input: "nothing-like-it", limit: 1 });
  expect(problems([all, lost], "all")).toEqual([
    "body.nodes[1].operator.input: node lost: unknown input nothing-like-it",
  ]);
});

test("a cycle is reported with its nodes", () => {
  const a = node("a", { type: "limit", input: "b", limit: 1 });
  const b = node("b", { type: "filter", input: "a", filter: "x:1" });
  expect(problems([all, a, b], "all")).toEqual([
    "body.nodes[2].operator.input: node b: the nodes form a cycle: a reads b reads a",
  ]);
  const self = node("self", { type: "limit", input: "self", limit: 1 });
  expect(problems([self], "self")).toEqual([
    "body.nodes[0].operator.input: node self: the nodes form a cycle: self reads self",
  ]);
});

test("two nodes with one name", () => {
  expect(problems([all, { ...source("other", "executions"), res_id: "all" }], "all")).toEqual([
    "body.nodes[1].res_id: node other: all names body.nodes[0] already",
  ]);
});

test.each([
  [{ type: "filter", input: "all", filter: "valeu:'x'" }, "operator.filter", "valeu"],
  [{ type: "filter", input: "all", filter: "type:" }, "operator.filter", "Invalid filter"],
  [{ type: "sort", input: "all", sort: "platforms" }, "operator.sort", "platforms"],
  [{ type: "sort", input: "all", sort: "nope" }, "operator.sort", "nope"],
  [
    { type: "project", input: "all", columns: [{ field: "nope" }] },
    "operator.columns[0].field",
    "unknown column nope",
  ],
  [
    { type: "project", input: "all", columns: [{ field: "type" }, { field: "value", as: "type" }] },
    "operator.columns[1]",
    "a second column named type",
  ],
  [
    { type: "group", input: "all", by: ["tipe"], measures: [{ function: "count", as: "n" }] },
    "operator.by[0]",
    "did you mean type?",
  ],
  [
    { type: "group", input: "all", by: ["type"], measures: [{ function: "count", as: "type" }] },
    "operator.measures",
    "a second column named type",
  ],
  [
    {
      type: "group",
      input: "all",
      by: [],
      measures: [{ function: "avg", field: "value", as: "n" }],
    },
    "operator.measures[0].field",
    "avg does not support value",
  ],
  [
    {
      type: "group",
      input: "all",
      by: [],
      measures: [{ function: "min", field: "tags", as: "n" }],
    },
    "operator.measures[0].field",
    "a list",
  ],
  [
    { type: "group", input: "all", by: [], measures: [{ function: "sum", as: "n" }] },
    "operator.measures[0]",
    "requires a field",
  ],
  [
    { type: "join", left: "all", right: "runs", on: [{ left: "value", right: "started_on" }] },
    "operator.on[0]",
    "never equal",
  ],
  [
    { type: "join", left: "all", right: "all", on: [{ left: "value", right: "value" }] },
    "operator",
    "another alias",
  ],
] as const)("%j", (operator, place, reason) => {
  const bad = node("bad", operator as SdmfNode["operator"]);
  const reported = problems([all, bad, source("runs", "executions")], "all");
  expect(reported).toHaveLength(1);
  expect(reported[0]).toContain(`body.nodes[1].${place}: node bad: `);
  expect(reported[0]).toContain(reason);
});

test("a column that the caller expects must exist", () => {
  const field = {
    name: "colour",
    type: "string",
    scope: "",
    multiplicity: "one",
    is_required: true,
  };
  const expecting = { ...all, schema: { res_id: "rows", fields: [field] } };
  expect(problems([expecting], "all")).toEqual([
    "body.nodes[0].schema.fields[0].name: node all: unknown column colour",
  ]);
});

test("all problems are reported at once", () => {
  const a = node("a", { type: "limit", input: "x", limit: 1 });
  const b = node("b", { type: "filter", input: "all", filter: "nope:1" });
  expect(problems([all, a, b], "zzzz")).toHaveLength(3);
});
