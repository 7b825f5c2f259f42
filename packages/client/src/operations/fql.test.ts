import { parseFilter } from "@security-platform/fql";
import { describe, expect, it } from "vitest";
import { bodyPrinter, printParameters } from "./fql.ts";
import { filters } from "../generated/collections.ts";

describe("printParameters", () => {
  it("prints filters", () => {
    const filter = filters.indicators.where("tags").oneOf(["a", "b'c"]);
    expect(printParameters({ filter })).toEqual({ filter: "tags:['a','b\\'c']" });
    expect(printParameters({ filter: parseFilter("") })).toEqual({ filter: "" });
  });

  it("joins sort keys, and keeps an empty list, which is rejected later", () => {
    const sort = ["severity_number.desc", "value"];
    expect(printParameters({ sort })).toEqual({ sort: "severity_number.desc,value" });
    expect(printParameters({ sort: [] })).toEqual({ sort: [] });
  });

  it("does not change text and other parameters", () => {
    const input = { filter: "type:'domain'", sort: "value", ids: ["a", "b"] };
    expect(printParameters(input)).toEqual(input);
  });
});

describe("bodyPrinter", () => {
  const filter = filters.indicators.where("type").equals("domain");

  it("prints the named members at any depth and does not modify its input", () => {
    const print = bodyPrinter(["filter", "q", "sort"]);
    const body = Object.freeze({ bulk_update: Object.freeze({ filter, action: "detect" }) });
    expect(print({ body })).toEqual({
      body: { bulk_update: { filter: "type:'domain'", action: "detect" } },
    });
    const inner = { name: "b", field: "type", q: filter };
    expect(print({ body: [{ name: "a", sub_aggregates: [inner] }] })).toEqual({
      body: [{ name: "a", sub_aggregates: [{ ...inner, q: "type:'domain'" }] }],
    });
    const nodes = [{ id: "n", operator: { kind: "sort", sort: ["a.asc", "b"] } }];
    expect(print({ body: { nodes } })).toEqual({
      body: { nodes: [{ id: "n", operator: { kind: "sort", sort: "a.asc,b" } }] },
    });
  });

  it("does not change members with other names", () => {
    const body = { value: filter, filter: "text" };
    expect(bodyPrinter(["filter"])({ body })).toEqual({ body });
  });
});
