import { expect, test } from "vitest";
import { backgroundWork } from "./background.ts";
import { dueKind } from "../store/index.ts";
import { resources } from "./resources.ts";

test("every due instant of a resource has an effect", () => {
  const due = resources.flatMap((resource) =>
    Object.keys(resource.due ?? {}).map((name) => dueKind(resource, name)),
  );
  expect(due).not.toEqual([]);
  // Nothing runs, so nothing is needed.
  const parts = {} as Parameters<typeof backgroundWork>[0];
  const kinds = backgroundWork({ ...parts, mailer: null, notifications: { pagerDutyUrl: "" } }).map(
    ({ name }) => name,
  );
  expect(due.filter((kind) => !kinds.includes(kind))).toEqual([]);
  expect(new Set(kinds).size).toBe(kinds.length);
});
