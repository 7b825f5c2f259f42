import { operationById } from "@security-platform/spec";
import { describe, expect, test } from "vitest";
import { bodyUses, queryUses } from "./fql-uses.ts";

const aggregate = operationById("indicator.aggregate.v1");
const report = operationById("GetIndicatorsReport");
const dataFrame = operationById("indicator.sdmf-query.v1");

describe("queryUses", () => {
  test("finds filters and sort orders by parameter", () => {
    expect(queryUses(operationById("indicator.combined.v1"))).toEqual({
      filter: { use: "filter", resource: "indicators" },
      sort: { use: "sort", resource: "indicators" },
    });
    expect(queryUses(report)).toEqual({});
  });
});

describe("bodyUses", () => {
  test("finds members at any depth", () => {
    expect(bodyUses(report)).toEqual({
      filter: { use: "filter", resource: "indicators" },
      query: { use: "filter", resource: "indicators" },
      sort: { use: "sort", resource: "indicators" },
    });
    expect(bodyUses(operationById("indicator.get.v1"))).toEqual({});
  });

  test("gives shared aggregates the fields of their operation, and data frames none", () => {
    expect(bodyUses(aggregate)).toEqual({
      field: { use: "field", resource: "indicators" },
      filter: { use: "filter", resource: "indicators" },
      q: { use: "filter", resource: "indicators" },
    });
    expect(bodyUses(dataFrame)).toEqual({
      filter: { use: "filter", resource: null },
      sort: { use: "sort", resource: null },
    });
  });

  test("rejects one name with two meanings", () => {
    const content = {};
    const fql = [
      { path: "filter", use: "filter", resource: "indicators" },
      { path: "deep.filter", use: "filter", resource: "hosts" },
    ] as const;
    const requestBody = { required: true, content, fql };
    expect(() => bodyUses({ ...report, requestBody })).toThrow("filter has two kinds of FQL");
  });
});
