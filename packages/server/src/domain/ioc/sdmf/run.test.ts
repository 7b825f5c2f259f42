import { expect, test } from "vitest";
import type { SdmfNode } from "./step.ts";
import { node, now, run, source } from "../../../../tests/support/sdmf-table.ts";

const hash = (digit: string) => digit.repeat(64);

const table = [
  {
    id: "1",
    type: "sha256",
    value: hash("a"),
    severity: "high",
    tags: ["x"],
    metadata: { av_hits: 3 },
  },
  { id: "2", type: "domain", value: "bad.example", severity: "low", tags: [], metadata: {} },
  {
    id: "3",
    type: "sha256",
    value: hash("b"),
    severity: "",
    tags: ["x", "y"],
    metadata: { av_hits: 5 },
  },
  { id: "4", type: "ipv4", value: "203.0.113.7", severity: "critical", tags: ["y"], metadata: {} },
];

const runs = [
  { id: "p1", device_id: "d1", sha256: hash("a"), domains: ["bad.example"], ip_addresses: [] },
  { id: "p2", device_id: "d2", sha256: hash("A"), domains: [], ip_addresses: ["203.0.113.7"] },
  {
    id: "p3",
    device_id: "d1",
    sha256: hash("c"),
    domains: ["ok.example", "bad.example"],
    ip_addresses: [],
  },
  { id: "p4", device_id: "d3", domains: [], ip_addresses: [] },
];

const all = source("all", "indicators");
const ids = (rows: readonly Readonly<Record<string, unknown>>[]) => rows.map(({ id }) => id);

test("a source returns every filter field as a column, including computed and absent ones", async () => {
  const [row] = await run([all], "all", { indicators: table });
  expect(row).toMatchObject({
    id: "1",
    severity_number: 70,
    "metadata.av_hits": 3,
    tags: ["x"],
    description: null,
    platforms: [],
  });
});

test("filters after a source run in the store, in one query", async () => {
  const nodes = [
    all,
    node("f", { type: "filter", input: "all", filter: "type:'sha256'" }),
    node("g", { type: "filter", input: "f", filter: "severity_number:>0" }),
  ];
  const queries: never[] = [];
  expect(ids(await run(nodes, "g", { indicators: table, queries }))).toEqual(["1"]);
  expect(JSON.stringify(queries)).toContain('"value":"sha256"');
  expect(JSON.stringify(queries)).toContain("severity_number");
});

test("filters after any other node read its columns", async () => {
  const nodes = [
    all,
    node("p", {
      type: "project",
      input: "all",
      columns: [{ field: "id" }, { field: "severity_number", as: "weight" }, { field: "tags" }],
    }),
    node("f", { type: "filter", input: "p", filter: "weight:>=30+tags:!'y'" }),
  ];
  expect(await run(nodes, "f", { indicators: table })).toEqual([
    { id: "1", weight: 70, tags: ["x"] },
    { id: "2", weight: 30, tags: [] },
  ]);
});

test("groups count and measure", async () => {
  const nodes = [
    all,
    node("g", {
      type: "group",
      input: "all",
      by: ["type"],
      measures: [
        { function: "count", as: "rows" },
        { function: "count", field: "metadata.av_hits", as: "known" },
        { function: "min", field: "metadata.av_hits", as: "least" },
        { function: "max", field: "value", as: "last" },
        { function: "avg", field: "metadata.av_hits", as: "mean" },
        { function: "sum", field: "severity_number", as: "weight" },
      ],
    }),
  ];
  expect(await run(nodes, "g", { indicators: table })).toEqual([
    { type: "sha256", rows: 2, known: 2, least: 3, last: hash("b"), mean: 4, weight: 70 },
    { type: "domain", rows: 1, known: 0, least: null, last: "bad.example", mean: null, weight: 30 },
    { type: "ipv4", rows: 1, known: 0, least: null, last: "203.0.113.7", mean: null, weight: 90 },
  ]);
});

test("one group of all rows exists even without rows", async () => {
  const measures = [
    { function: "count", as: "n" },
    { function: "sum", field: "severity_number", as: "weight" },
  ] as const;
  const group = node("g", { type: "group", input: "all", by: [], measures: [...measures] });
  expect(await run([all, group], "g")).toEqual([{ n: 0, weight: null }]);
});

test("sorts by several columns; the sort is stable, rows without a value are last", async () => {
  const sorted = async (sort: string) =>
    ids(
      await run([all, node("s", { type: "sort", input: "all", sort })], "s", { indicators: table }),
    );
  expect(await sorted("severity_number.desc")).toEqual(["4", "1", "2", "3"]);
  expect(await sorted("type,id.desc")).toEqual(["2", "4", "3", "1"]);
  expect(await sorted("metadata.av_hits")).toEqual(["1", "3", "2", "4"]);
  expect(await sorted("metadata.av_hits.desc")).toEqual(["3", "1", "2", "4"]);
});

test("limit selects from the middle, and only the first rows of a sort stay in memory", async () => {
  const nodes = [
    all,
    node("s", { type: "sort", input: "all", sort: "id.desc" }),
    node("l", { type: "limit", input: "s", limit: 1, offset: 1 }),
    node("m", { type: "limit", input: "all", limit: 2, offset: 1 }),
  ];
  expect(ids(await run(nodes, "l", { indicators: table }))).toEqual(["3"]);
  expect(ids(await run(nodes, "m", { indicators: table }))).toEqual(["2", "3"]);
  const many = Array.from({ length: 5_000 }, (_, index) => ({ id: `${10_000 + index}` }));
  const limits = { held: 1_500 };
  expect(ids(await run(nodes, "l", { indicators: many, limits }))).toEqual(["14998"]);
  await expect(run(nodes, "s", { indicators: many, limits })).rejects.toMatchObject({
    status: 400,
  });
});

const executions = source("executions", "executions");
const join = (right: string, kind?: "left"): SdmfNode =>
  node("j", {
    type: "join",
    left: "all",
    right: "executions",
    on: [{ left: "value", right }],
    ...(kind === undefined ? {} : { kind }),
  });
const pairs = node("pairs", {
  type: "project",
  input: "j",
  columns: [{ field: "value" }, { field: "executions.id", as: "process" }],
});

test.each([
  [
    "sha256",
    [
      [hash("a"), "p1"],
      [hash("a"), "p2"],
    ],
  ],
  [
    "domains",
    [
      ["bad.example", "p1"],
      ["bad.example", "p3"],
    ],
  ],
  ["ip_addresses", [["203.0.113.7", "p2"]]],
] as const)(
  "joins a value with %s, ignoring case, in any element of a list",
  async (right, expected) => {
    const rows = await run([all, executions, join(right), pairs], "pairs", {
      indicators: table,
      executions: runs,
    });
    expect(rows.map(({ value, process }) => [value, process])).toEqual(expected);
  },
);

test("a left join keeps rows without a match", async () => {
  const rows = await run([all, executions, join("ip_addresses", "left"), pairs], "pairs", {
    indicators: table,
    executions: runs,
  });
  expect(rows.map(({ process }) => process)).toEqual([null, null, null, "p2"]);
});

test("a join ignores case if one of its two fields does", async () => {
  const rows = await run([all, executions, join("device_id"), pairs], "pairs", {
    indicators: [{ id: "1", type: "domain", value: "D1" }],
    executions: runs,
  });
  expect(rows.map(({ process }) => process)).toEqual(["p1", "p3"]);
});

test("limit selects across the batches of a join", async () => {
  const part = node("l", { type: "limit", input: "pairs", limit: 2, offset: 1 });
  const nodes = [all, executions, join("ip_addresses", "left"), pairs, part];
  const rows = await run(nodes, "l", { indicators: table, executions: runs });
  expect(rows.map(({ value }) => value)).toEqual(["bad.example", hash("b")]);
});

test("only columns with the same name get an alias", async () => {
  const nodes = [
    { ...all, alias: "i" },
    executions,
    join("sha256"),
    node("l", { type: "limit", input: "j", limit: 1 }),
  ];
  const [row = {}] = await run(nodes, "l", { indicators: table, executions: runs });
  expect(Object.keys(row)).toEqual(
    expect.arrayContaining(["i.id", "executions.id", "value", "device_id"]),
  );
  expect(Object.keys(row)).not.toContain("id");
});

test("several keys must all match", async () => {
  const nodes = [
    executions,
    { ...source("again", "executions") },
    node("j", {
      type: "join",
      left: "executions",
      right: "again",
      on: [
        { left: "domains", right: "domains" },
        { left: "device_id", right: "device_id" },
      ],
    }),
  ];
  const rows = await run(nodes, "j", { executions: runs });
  expect(rows.map((row) => [row["executions.id"], row["again.id"]])).toEqual([
    ["p1", "p1"],
    ["p1", "p3"],
    ["p3", "p1"],
    ["p3", "p3"],
  ]);
});

test("a node that two others read runs once", async () => {
  const queries: never[] = [];
  const nodes = [
    all,
    node("few", { type: "limit", input: "all", limit: 2 }),
    node("a", {
      type: "project",
      input: "few",
      columns: [{ field: "id", as: "a" }, { field: "type" }],
    }),
    node("b", { type: "project", input: "few", columns: [{ field: "id", as: "b" }] }),
    node("j", { type: "join", left: "a", right: "b", on: [{ left: "a", right: "b" }] }),
  ];
  expect(await run(nodes, "j", { indicators: table, queries })).toEqual([
    { a: "1", type: "sha256", b: "1" },
    { a: "2", type: "domain", b: "2" },
  ]);
  expect(queries).toHaveLength(1);
});

test("too many joined rows end the query", async () => {
  const double = (id: string, input: string): SdmfNode[] => [
    node(`${id}-left`, { type: "project", input, columns: [{ field: "k" }] }),
    node(`${id}-right`, { type: "project", input, columns: [{ field: "k", as: "l" }] }),
    node(`${id}-join`, {
      type: "join",
      left: `${id}-left`,
      right: `${id}-right`,
      on: [{ left: "k", right: "l" }],
    }),
  ];
  const nodes = [
    all,
    node("k", { type: "project", input: "all", columns: [{ field: "expired", as: "k" }] }),
    ...double("a", "k"),
    ...double("b", "a-join"),
    ...double("c", "b-join"),
  ];
  const same = Array.from({ length: 20 }, (_, index) => ({ id: `${index}`, expired: false }));
  const limits = { produced: 50_000 };
  await expect(run(nodes, "c-join", { indicators: same, limits })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("rows"),
  });
});

test("the query stops after its deadline", async () => {
  const many = Array.from({ length: 3_000 }, (_, index) => ({ id: `${index}` }));
  let reading = now.getTime();
  const clock = { now: () => new Date((reading += 1_000)) };
  const query = run([all], "all", { indicators: many, clock, deadline: now.getTime() + 1_500 });
  await expect(query).rejects.toMatchObject({ status: 503 });
});
