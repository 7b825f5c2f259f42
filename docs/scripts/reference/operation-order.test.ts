import { operations } from "@security-platform/spec";
import { expect, test } from "vitest";
import { groupsOf } from "./operation-order.ts";

const ofCollection = (name: string) => operations().filter(({ collection }) => collection === name);

test("operations are grouped by kind of record: find, read, create, change, delete", () => {
  const [indicators] = groupsOf(ofCollection("ioc"));
  expect(indicators?.title).toBe("Indicators");
  const names = indicators?.operations.map(({ methodName }) => methodName) ?? [];
  const order = [
    "listIndicators",
    "getIndicators",
    "createIndicators",
    "updateIndicators",
    "deleteIndicators",
  ];
  expect(names.filter((name) => order.includes(name))).toEqual(order);
  expect(names.at(-1)).toBe("aggregateIndicators");
});

test("every operation is in one group", () => {
  for (const [, members] of Map.groupBy(operations(), ({ collection }) => collection)) {
    const grouped = groupsOf(members).flatMap((group) => group.operations);
    expect(new Set(grouped)).toEqual(new Set(members));
    expect(grouped).toHaveLength(members.length);
  }
});

test.each([
  ["case-management", ["Cases", "Case tags", "Files"]],
  ["container", ["Image inventories", "Reports", "Policy checks"]],
  ["downloads", ["Files"]],
  ["prevention-policy", ["Preventions", "Prevention members"]],
])("the groups of %s begin with its main records", (collection, titles) => {
  const groups = groupsOf(ofCollection(collection)).map(({ title }) => title);
  expect(groups.slice(0, titles.length)).toEqual(titles);
});
