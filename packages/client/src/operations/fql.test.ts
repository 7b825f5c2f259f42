import { parseFilter } from "@security-platform/fql";
import { describe, expect, test } from "vitest";
import { printMembers, printParameters } from "./fql.ts";
import { filters } from "../generated/collections.ts";

describe("printParameters", () => {
  test("prints filters", async () => {
    const filter = filters.indicators.where("tags").oneOf(["a", "b'c"]);
    expect(await printParameters({ filter })).toEqual({ filter: "tags:['a','b\\'c']" });
    expect(await printParameters({ filter: parseFilter("") })).toEqual({ filter: "" });
  });

  test("joins sort keys, and keeps an empty list, which is rejected later", async () => {
    const sort = ["severity_number.desc", "value"];
    expect(await printParameters({ sort })).toEqual({ sort: "severity_number.desc,value" });
    expect(await printParameters({ sort: [] })).toEqual({ sort: [] });
  });

  test("does not change text and other parameters", async () => {
    const input = {
      filter: "type:'domain'",
      sort: "value",
      ids: ["a", "b"],
      body: { sort: ["a"] },
    };
    expect(await printParameters(input)).toEqual(input);
    const sorted = { ...input, sort: ["value"] };
    expect(await printParameters(sorted)).toEqual(input);
  });
});

describe("printMembers", () => {
  const filter = filters.indicators.where("type").equals("domain");

  test("prints the named members at any depth and does not modify its input", async () => {
    const print = (body: unknown) => printMembers(["filter", "q", "sort"], { body });
    const body = Object.freeze({ bulk_update: Object.freeze({ filter, action: "detect" }) });
    expect(await print(body)).toEqual({
      body: { bulk_update: { filter: "type:'domain'", action: "detect" } },
    });
    const inner = { name: "b", field: "type", q: filter };
    expect(await print([{ name: "a", sub_aggregates: [inner] }])).toEqual({
      body: [{ name: "a", sub_aggregates: [{ ...inner, q: "type:'domain'" }] }],
    });
    const nodes = [{ id: "n", operator: { kind: "sort", sort: ["a.asc", "b"] } }];
    expect(await print({ nodes })).toEqual({
      body: { nodes: [{ id: "n", operator: { kind: "sort", sort: "a.asc,b" } }] },
    });
  });

  test("does not change members with other names", async () => {
    const body = { value: filter, filter: "text" };
    expect(await printMembers(["filter"], { body })).toEqual({ body });
  });
});
