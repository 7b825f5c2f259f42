import { operationById } from "@security-platform/spec";
import { describe, expect, test } from "vitest";
import { replaceIds } from "./existing-ids.ts";
import { flowSection, listOfIds } from "./record-flow.ts";

describe("identifiers of existing records", () => {
  test.each([
    [{ ids: ["x", "y", "z"] }, false, { ids: ["a", "b"] }, 2],
    [{ id: "x", template: { id: "t" } }, false, { id: "a", template: { id: "t" } }, 1],
    [{ resources: [{ id: "x" }, { id: "y" }] }, true, { resources: [{ id: "a" }, { id: "b" }] }, 2],
    [{ fields: [{ id: "x" }] }, false, { fields: [{ id: "x" }] }, 0],
    ["text", true, "text", 0],
  ])("replace those of %j (update: %j)", (body, isUpdate, replaced, count) => {
    expect(replaceIds(body, ["a", "b"], { isUpdate })).toEqual({ body: replaced, count });
  });

  test.each([
    ["indicator.get.v1", "indicator.search.v1"],
    ["indicator.update.v1", "indicator.search.v1"],
    ["entities.notification-groups.get.v1", "queries.notification-groups.get.v2"],
    ["indicator.create.v1", undefined],
    ["indicator.search.v1", undefined],
  ] as const)("%s needs those of %s", (id, list) => {
    expect(listOfIds(operationById(id))?.id).toBe(list);
  });
});

test("a page says what comes before and after", () => {
  expect(flowSection(operationById("indicator.get.v1"))).toContain(
    "- Before: [List identifiers of indicators](/reference/ioc/indicator.search.v1) returns the identifiers.",
  );
  expect(flowSection(operationById("LaunchExportJob"))).toContain(
    "(/reference/container/ReadExportJobs) returns the progress.",
  );
  expect(flowSection(operationById("ReadExportJobs"))).toContain(
    "(/reference/container/LaunchExportJob).",
  );
});
