import { lowerFilter, parseFilter } from "@security-platform/fql";
import { runs } from "@security-platform/fql/arbitraries";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aggregate, AggregateError } from "./index.ts";
import {
  ask,
  askAll,
  counts,
  now,
  problemsOf,
  specOf,
  type SpecInput,
} from "../../tests/support/aggregates/ask.ts";
import { memoryRecords } from "../../tests/support/aggregates/memory-records.ts";
import {
  anySightings,
  sightingFields,
  sightings,
} from "../../tests/support/aggregates/sightings.ts";

const terms = { type: "terms", field: "kind" } as const;

describe("selection of records", () => {
  test("by the base filter, by filter and by q", async () => {
    const spec = { ...terms, filter: "level:<10", q: "tags:'blue'" };
    expect(counts(await ask(spec, { filter: "expired:false" }))).toEqual([["domain", 1]]);
  });

  test("a nested aggregate also applies its own filter", async () => {
    const part = { type: "cardinality", field: "id", filter: "tags:'blue'" } as const;
    const { buckets } = await ask({ ...terms, sort: "_term", sub_aggregates: [part] });
    expect(
      buckets.map(({ sub_aggregates: [ids] = [] }) => ids?.buckets.map(({ value }) => value)),
    ).toEqual([[0], [1], [1], [0]]);
  });

  test("a nested aggregate without a filter applies only the outer one", async () => {
    const part = { type: "cardinality", field: "id" } as const;
    const spec = { ...terms, filter: "tags:'blue'", sub_aggregates: [part] };
    const { buckets } = await ask(spec);
    expect(buckets.map(({ sub_aggregates: [ids] = [] }) => ids?.buckets[0]?.value)).toEqual([1, 1]);
  });

  test("all parts are evaluated at the same instant", async () => {
    expect(counts(await ask({ ...terms, filter: "seen_at:>'now-2d'" }))).toEqual([["ipv4", 1]]);
  });
});

describe("one specification, or a list", () => {
  test("results are in the order of the list", async () => {
    const results = await askAll([
      { ...terms, name: "kinds" },
      { type: "max", field: "level", name: "highest" },
    ]);
    expect(results.map(({ name }) => name)).toEqual(["kinds", "highest"]);
  });

  test("the place of a single specification has no index", async () => {
    const result = aggregate(specOf({ type: "date_histogram", field: "seen_at" }), {
      records: memoryRecords(sightings, sightingFields),
      fields: sightingFields,
      base: { kind: "everything" },
      now,
    });
    await expect(result).rejects.toMatchObject({ problems: [{ at: "body.interval" }] });
    await expect(result).rejects.toBeInstanceOf(AggregateError);
  });
});

describe("problems", () => {
  test("of all specifications are reported together, each with its place", async () => {
    const spec: SpecInput = {
      ...terms,
      filter: "kind:",
      sort: "kind",
      sub_aggregates: [
        { type: "max", field: "level" },
        {
          type: "date_histogram",
          field: "seen",
          sub_aggregates: [{ type: "range", field: "level" }],
        },
      ],
    };
    const problems = await problemsOf(spec);
    expect(problems.map((problem) => problem.replace(/: .*/s, ""))).toEqual([
      "body[0].filter",
      "body[0].sort",
      "body[0].sub_aggregates[1].field",
      "body[0].sub_aggregates[1].interval",
      "body[0].sub_aggregates[1].sub_aggregates[0].ranges",
    ]);
  });

  test("an unknown field: the message names the nearest one", async () => {
    expect(await problemsOf({ ...terms, field: "kimd" })).toEqual([
      "body[0].field: unknown field 'kimd'; did you mean 'kind'?",
    ]);
    expect(await problemsOf({ ...terms, field: "a b" })).toEqual([
      "body[0].field: unknown field 'a b'",
    ]);
    expect(await problemsOf({ ...terms, field: "constructor" })).toEqual([
      "body[0].field: unknown field 'constructor'",
    ]);
  });

  test("field names ignore case, as in a filter", async () => {
    expect(counts(await ask({ ...terms, field: "Origin.HOST" }))).toEqual([
      ["one", 1],
      ["two", 1],
    ]);
  });

  test("a missing field", async () => {
    expect(await problemsOf({ type: "terms" })).toEqual([
      "body[0].field: terms requires the field to aggregate on",
    ]);
  });

  test("an unknown type", async () => {
    for (const type of ["top_hits", "toString"]) {
      expect(await problemsOf({ ...terms, type: type as "terms" })).toEqual([
        `body[0].type: expected one of terms, date_histogram, date_range, range, filters, cardinality, max, min, avg, sum, percentiles, got '${type}'`,
      ]);
    }
  });

  test("an invalid q has the place and the reason of the filter error", async () => {
    const [problem] = await problemsOf({ ...terms, q: "nmae:'x'" });
    expect(problem).toMatch(/^body\[0\]\.q: Invalid filter expression supplied.*'name'/);
  });
});

describe("limits", () => {
  const nested = (depth: number): SpecInput =>
    depth === 1 ? terms : { ...terms, sub_aggregates: [nested(depth - 1)] };

  test("of depth", async () => {
    expect(await problemsOf(nested(5))).toEqual([]);
    expect(await problemsOf(nested(6))).toEqual([
      `body[0]${".sub_aggregates[0]".repeat(5)}: aggregates are nested more than 5 deep`,
    ]);
  });

  test("of buckets, for all levels together", async () => {
    // Four types, with one aggregate inside each of them.
    const spec: SpecInput = { ...terms, size: 4, sub_aggregates: [{ ...terms, size: 4 }] };
    expect(await problemsOf(spec, { limits: { buckets: 8 } })).toEqual([]);
    const [problem] = await problemsOf(spec, { limits: { buckets: 7 } });
    expect(problem).toMatch(/^body\[0\]\.sub_aggregates\[0\].*more than 7 buckets/);
  });

  test("of queries", async () => {
    expect(await problemsOf(nested(2), { limits: { queries: 5 } })).toEqual([]);
    const [problem] = await problemsOf(nested(2), { limits: { queries: 4 } });
    expect(problem).toMatch(/^body\[0\]\.sub_aggregates\[0\].*more than 4 queries/);
  });

  test("of queries, before those of the buckets run", async () => {
    const source = memoryRecords(sightings, sightingFields);
    let asked = 0;
    const counting = <Source extends object>(of: Source): Source =>
      new Proxy(of, {
        get: (target, name, receiver) => {
          const member: unknown = Reflect.get(target, name, receiver);
          if (name === "facets") return counting(member as object);
          asked += 1;
          return member;
        },
      });
    const asking = (specs: readonly SpecInput[], queries: number) =>
      aggregate(specs.map(specOf), {
        records: counting(source),
        fields: sightingFields,
        base: lowerFilter(parseFilter(""), sightingFields, now),
        now,
        limits: { queries },
      });
    await expect(asking([nested(2)], 3)).rejects.toThrow("more than 3 queries");
    const first = asked;
    await asking([terms], 3);
    // The outer aggregate ran, and none inside it.
    expect(first).toBe(asked - first);
    asked = 0;
    await expect(asking([terms, terms, terms], 2)).rejects.toThrow("more than 2 queries");
    expect(asked).toBe(0);
  });

  test("empty buckets need no queries", async () => {
    const spec: SpecInput = {
      type: "date_histogram",
      field: "seen_at",
      interval: "hour",
      sub_aggregates: [terms, { type: "avg", field: "level" }],
    };
    const result = await ask(spec, { limits: { queries: 9 } });
    expect(result.buckets.length).toBeGreaterThan(50);
    expect(result.buckets[1]?.sub_aggregates?.map(({ buckets }) => buckets)).toEqual([
      [],
      [{ count: 0, value: null }],
    ]);
  });
});

test("buckets of every type contain the records that they count", async () => {
  const kinds: readonly SpecInput[] = [
    { type: "terms", field: "tags", missing: "red", exclude: "b*", size: 50 },
    { type: "terms", field: "name", missing: "none", size: 50 },
    { type: "terms", field: "level", missing: "3", size: 50 },
    { type: "terms", field: "address", size: 50 },
    { type: "terms", field: "expired", missing: "false" },
    {
      type: "date_range",
      field: "visits",
      date_ranges: [{ from: "2024-01-01", to: "2024-06-01" }],
    },
    { type: "range", field: "level", ranges: [{ from: 2 }, { to: 5 }], missing: "4" },
    {
      type: "filters",
      filters_spec: { filters: { red: "tags:'red'" }, other_bucket: true },
    },
  ];
  await fc.assert(
    fc.asyncProperty(anySightings, fc.constantFrom(...kinds), async (records, kind) => {
      const parts = [{ type: "cardinality", field: "id" } as const];
      const { buckets } = await ask({ ...kind, sub_aggregates: parts }, { records });
      expect(buckets.map(({ sub_aggregates: [ids] = [] }) => ids?.buckets[0]?.value)).toEqual(
        buckets.map(({ count }) => count),
      );
    }),
    { numRuns: runs() },
  );
});
