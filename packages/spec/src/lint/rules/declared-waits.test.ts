import { expect, test } from "vitest";
import { check } from "../testing/check.ts";
import { declaredWaits } from "./declared-waits.ts";

const wait = {
  "method-name": "waitForJob",
  state: "status",
  done: ["DONE"],
  failed: ["FAILED"],
  "started-by": ["start.v1"],
};

function reports(changes: object): readonly (readonly string[])[] {
  const read = {
    operationId: "read.v1",
    "x-method-name": "getJobs",
    "x-wait": { ...wait, ...changes },
    responses: {
      200: {
        content: {
          "application/json": { schema: { type: "array", items: { $ref: "../schemas/Job.yaml" } } },
        },
      },
    },
  };
  const problems = check(declaredWaits, {
    "openapi.yaml": "paths:\n  /jobs:\n    $ref: ioc/paths/jobs.yaml\n",
    "ioc/paths/jobs.yaml": JSON.stringify({
      get: read,
      post: { operationId: "start.v1", "x-method-name": "waitForStart" },
    }),
    "ioc/schemas/Job.yaml": "properties:\n  status:\n    $ref: Status.yaml\n",
    "ioc/schemas/Status.yaml": "enum: [RUNNING, DONE, FAILED]\n",
  });
  return problems.map(({ found: text, expected }) => [text, expected]);
}

test("a complete x-wait has no findings", () => {
  expect(reports({})).toEqual([]);
});

test.each([
  [{ "method-name": "exportDone" }, "ioc.exportDone", "a name such as waitForExport"],
  [{ "method-name": "waitForStart" }, "ioc.waitForStart", "a name that is unique"],
  [{ "started-by": [] }, "none", "operation ids"],
  [{ state: "name" }, "name", "a member of the record with an enum"],
  [{ done: ["READY"] }, "READY", "RUNNING, DONE, FAILED"],
  [{ failed: [] }, "no states failed", "RUNNING, DONE, FAILED"],
  [{ "started-by": ["begin.v1"] }, "begin.v1", "the id of an operation"],
  [
    { until: ["DONE"] },
    "x-wait with until",
    "method-name, state, done, failed, reason, started-by",
  ],
])("%j is found", (change, found, expected) => {
  expect(reports(change)).toEqual([[found, expected]]);
});
