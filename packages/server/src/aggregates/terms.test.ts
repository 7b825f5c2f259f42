import { runs } from "@security-platform/fql/arbitraries";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ask, counts, problemsOf } from "../../tests/support/aggregates/ask.ts";
import { anySightings } from "../../tests/support/aggregates/sightings.ts";

describe("terms", () => {
  test("counts records by value, the most frequent first", async () => {
    const result = await ask({ type: "terms", field: "kind", name: "kinds" });
    expect(result).toEqual({
      name: "kinds",
      buckets: [
        { label: "domain", count: 2 },
        { label: "", count: 1 },
        { label: "ipv4", count: 1 },
        { label: "sha256", count: 1 },
      ],
      doc_count_error_upper_bound: 0,
      sum_other_doc_count: 0,
    });
  });

  test("labels have the type of the field, and a text if they are not strings", async () => {
    expect((await ask({ type: "terms", field: "level" })).buckets).toEqual([
      { label: 3, key_as_string: "3", count: 2 },
      { label: 1, key_as_string: "1", count: 1 },
      { label: 10, key_as_string: "10", count: 1 },
    ]);
    expect((await ask({ type: "terms", field: "expired" })).buckets).toEqual([
      { label: false, key_as_string: "false", count: 3 },
      { label: true, key_as_string: "true", count: 1 },
    ]);
  });

  test("times and addresses are returned as written", async () => {
    expect(counts(await ask({ type: "terms", field: "seen_at", sort: "_term" }))).toEqual([
      ["2024-03-30T22:30:00Z", 1],
      ["2024-03-31T00:30:00.123456789Z", 1],
      ["2024-03-31T21:59:59Z", 1],
      ["2024-04-02T00:00:00Z", 1],
    ]);
    expect(counts(await ask({ type: "terms", field: "address" }))).toEqual([
      ["10.0.0.1", 2],
      ["2001:db8::1", 1],
    ]);
  });

  test("counts each element of a list", async () => {
    expect(counts(await ask({ type: "terms", field: "tags" }))).toEqual([
      ["red", 3],
      ["blue", 2],
      ["green", 1],
    ]);
  });

  test("keeps the case of texts that filters fold", async () => {
    expect(counts(await ask({ type: "terms", field: "name" }))).toEqual([
      ["Alpha", 1],
      ["alpha", 1],
      ["beta", 1],
    ]);
  });

  test.each([
    ["_count", ["domain", "", "ipv4", "sha256"]],
    ["_count|desc", ["domain", "", "ipv4", "sha256"]],
    ["_count.asc", ["", "ipv4", "sha256", "domain"]],
    ["_term", ["", "domain", "ipv4", "sha256"]],
    ["_term.asc", ["", "domain", "ipv4", "sha256"]],
    ["_term|desc", ["sha256", "ipv4", "domain", ""]],
  ])("sort %s", async (sort, labels) => {
    const { buckets } = await ask({ type: "terms", field: "kind", sort });
    expect(buckets.map(({ label }) => label)).toEqual(labels);
  });

  test("from and size select a page, and report the count of the other buckets", async () => {
    const page = { type: "terms", field: "tags" } as const;
    const first = await ask({ ...page, size: 1 });
    expect([counts(first), first.sum_other_doc_count]).toEqual([[["red", 3]], 3]);
    const second = await ask({ ...page, from: 1, size: 1 });
    expect([counts(second), second.sum_other_doc_count]).toEqual([[["blue", 2]], 4]);
    const none = await ask({ ...page, size: 0 });
    expect([counts(none), none.sum_other_doc_count]).toEqual([[], 6]);
    const beyond = await ask({ ...page, from: 3 });
    expect([counts(beyond), beyond.sum_other_doc_count]).toEqual([[], 6]);
  });

  test("ten buckets by default", async () => {
    const records = Array.from({ length: 25 }, (_, index) => ({ id: `${index}`, level: index }));
    const result = await ask({ type: "terms", field: "level" }, { records });
    expect([result.buckets.length, result.sum_other_doc_count]).toEqual([10, 15]);
  });

  test("from and size together reach the limit of buckets, and no further", async () => {
    const tags = { type: "terms", field: "tags" } as const;
    expect(await problemsOf({ ...tags, from: 9_990, size: 10 })).toEqual([]);
    expect(await problemsOf({ ...tags, from: 9_991, size: 10 })).toHaveLength(1);
  });

  test("min_doc_count and max_doc_count limit the counts", async () => {
    const tags = { type: "terms", field: "tags" } as const;
    const atLeast = await ask({ ...tags, min_doc_count: 2 });
    expect([counts(atLeast), atLeast.sum_other_doc_count]).toEqual([
      [
        ["red", 3],
        ["blue", 2],
      ],
      1,
    ]);
    expect(counts(await ask({ ...tags, max_doc_count: 2 }))).toEqual([
      ["blue", 2],
      ["green", 1],
    ]);
    expect(counts(await ask({ ...tags, min_doc_count: 0 }))).toHaveLength(3);
  });

  test.each([
    [{ field: "kind", include: "domain" }, ["domain"]],
    [{ field: "kind", include: "*a*" }, ["domain", "sha256"]],
    [{ field: "kind", exclude: "domain" }, ["", "ipv4", "sha256"]],
    [{ field: "kind", include: "*a*", exclude: "sha*" }, ["domain"]],
    [{ field: "kind", include: "Domain" }, []],
    [{ field: "name", include: "ALPHA" }, ["Alpha", "alpha"]],
    [{ field: "name", exclude: "A*A" }, ["beta"]],
    [{ field: "tags", include: "red" }, ["red"]],
    [{ field: "tags", include: "*re*" }, ["red", "green"]],
    [{ field: "tags", exclude: "red" }, ["blue", "green"]],
    [{ field: "tags", include: "*e*", exclude: "*ee*" }, ["red", "blue"]],
    [{ field: "level", include: "3" }, [3]],
    [{ field: "expired", exclude: "false" }, [true]],
    [{ field: "address", include: "10.0.0.1" }, ["10.0.0.1"]],
    [{ field: "address", exclude: "2001:DB8:0::1" }, ["10.0.0.1"]],
    [{ field: "peers", exclude: "10.0.0.1" }, ["2001:db8::1"]],
    [{ field: "seen_at", include: "2024-03-31T21:59:59.0Z" }, ["2024-03-31T21:59:59Z"]],
  ])("%j returns %j", async (spec, labels) => {
    const { buckets, sum_other_doc_count: others } = await ask({ type: "terms", ...spec });
    expect(buckets.map(({ label }) => label)).toEqual(labels);
    expect(others).toBe(0);
  });

  test("missing adds records without a value to the records with that value", async () => {
    const name = { type: "terms", field: "name" } as const;
    expect(counts(await ask({ ...name, missing: "none" }))).toEqual([
      ["none", 2],
      ["Alpha", 1],
      ["alpha", 1],
      ["beta", 1],
    ]);
    expect(counts(await ask({ ...name, missing: "beta", size: 1 }))).toEqual([["beta", 3]]);
    expect(counts(await ask({ ...name, missing: "" })).at(0)).toEqual(["", 2]);
    expect(counts(await ask({ type: "terms", field: "tags", missing: "green" }))).toEqual([
      ["green", 3],
      ["red", 3],
      ["blue", 2],
    ]);
    // The smallest buckets, before the others join them.
    const smallest = {
      type: "terms",
      field: "tags",
      missing: "green",
      sort: "_count|asc",
    } as const;
    expect(counts(await ask({ ...smallest, size: 1 }))).toEqual([["blue", 2]]);
    const level = { type: "terms", field: "level", missing: "3" } as const;
    expect(counts(await ask(level)).at(0)).toEqual([3, 3]);
    expect(counts(await ask({ ...level, max_doc_count: 2 }))).toEqual([
      [1, 1],
      [10, 1],
    ]);
    expect(counts(await ask({ ...name, missing: "none", include: "a*" }))).toHaveLength(2);
  });

  test("nested aggregates include the records of their bucket, also those without a value", async () => {
    const result = await ask({
      type: "terms",
      field: "name",
      missing: "beta",
      sub_aggregates: [{ type: "terms", field: "id", name: "ids", sort: "_term" }],
    });
    const inside = result.buckets.map(({ label, sub_aggregates: [ids] = [] }) => [
      label,
      ids?.name,
      ids?.buckets.map((bucket) => bucket.label),
    ]);
    expect(inside).toEqual([
      ["beta", "ids", ["c", "d", "e"]],
      ["Alpha", "ids", ["a"]],
      ["alpha", "ids", ["b"]],
    ]);
  });

  test("a page of any size is a part of all buckets, and its others are the remaining ones", async () => {
    const spec = fc.record(
      {
        field: fc.constantFrom("tags", "name", "kind", "level", "seen_at"),
        sort: fc.constantFrom("_count|asc", "_count|desc", "_term|asc", "_term|desc"),
        min_doc_count: fc.integer({ min: 0, max: 3 }),
        max_doc_count: fc.integer({ min: 3, max: 6 }),
        exclude: fc.constant("red"),
        missing: fc.constant("red"),
      },
      { requiredKeys: ["field", "sort"] },
    );
    const offset = fc.nat({ max: 6 });
    await fc.assert(
      fc.asyncProperty(anySightings, spec, offset, offset, async (records, some, from, size) => {
        fc.pre(
          !(some.field === "level" || some.field === "seen_at") || !(some.exclude || some.missing),
        );
        const whole = await ask({ type: "terms", ...some, size: 9_000 }, { records });
        const page = await ask({ type: "terms", ...some, from, size }, { records });
        expect(page.buckets).toEqual(whole.buckets.slice(from, from + size));
        const shown = page.buckets.reduce((sum, { count }) => sum + count, 0);
        const all = whole.buckets.reduce((sum, { count }) => sum + count, 0);
        expect(page.sum_other_doc_count).toBe(all - shown + (whole.sum_other_doc_count ?? 0));
      }),
      { numRuns: runs() },
    );
  });

  test.each([
    [
      { sort: "name" },
      "body[0].sort: expected _count or _term, optionally with |asc or |desc, got 'name'",
    ],
    [{ size: -1 }, "body[0].size: expected a whole number from 0, got -1"],
    [{ from: 9_995 }, "body[0].size: from and size together reach at most 10000, got 10005"],
    [
      { min_doc_count: 3, max_doc_count: 2 },
      "body[0].max_doc_count: is less than min_doc_count 3: no bucket can have such a count",
    ],
    [{ field: "level", include: "1*" }, "body[0].include: expected a number, got '1*'"],
    [
      { field: "level", missing: "none" },
      "body[0].missing: expected a number, as 'level' is of type number, got 'none'",
    ],
    [{ field: "expired", exclude: "1" }, "body[0].exclude: expected true or false, got '1'"],
  ])("%j is rejected", async (spec, problem) => {
    expect(await problemsOf({ type: "terms", field: "kind", ...spec })).toEqual([problem]);
  });

  test("include on a list field searches a limited number of values", async () => {
    const records = Array.from({ length: 21 }, (_, index) => ({
      id: `${index}`,
      tags: [`${index}`],
    }));
    const spec = { type: "terms", field: "tags", exclude: "1*" } as const;
    expect(await problemsOf(spec, { records, limits: { values: 20 } })).toEqual([
      "body[0]: include and exclude support at most 20 values of a list field, and 'tags' has more; narrow the filter",
    ]);
    expect(await problemsOf(spec, { records, limits: { values: 21 } })).toEqual([]);
  });
});
