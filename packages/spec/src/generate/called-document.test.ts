import { expect, test } from "vitest";
import {
  calledDocument,
  completeDocument,
  controlOperations,
  methodIndex,
  operations,
} from "../index.ts";
import { withControl } from "./called-document.ts";

test("says of the operations that start work, and of those that read it, how to wait", () => {
  const waits = calledDocument().operations.flatMap(({ id, wait }) =>
    wait === undefined ? [] : [[id, wait.methodName, wait.readBy]],
  );
  expect(waits).toContainEqual(["LaunchExportJob", "waitForExport", "ReadExportJobs"]);
  expect(waits).toContainEqual(["ReadExportJobs", "waitForExport", "ReadExportJobs"]);
  const declared = operations().flatMap(({ wait }) => (wait === undefined ? [] : [wait]));
  expect(waits).toHaveLength(declared.length + declared.flatMap((each) => each.startedBy).length);
});

test("contains every operation, and the schemas that its input refers to", () => {
  const { operations: called, control, schemas } = calledDocument();
  expect(control.map(({ id }) => id)).toEqual(controlOperations().map(({ id }) => id));
  expect(called.map(({ id }) => id)).toEqual(operations().map(({ id }) => id));
  expect(methodIndex().map(({ id }) => id)).toEqual(operations().map(({ id }) => id));
  const text = JSON.stringify([called, control, schemas]);
  const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
  expect(new Set(names)).toEqual(new Set(Object.keys(schemas)));
  const all = Object.keys(completeDocument().components.schemas);
  expect(names.length).toBeGreaterThan(100);
  expect(Object.keys(schemas).length).toBeLessThan(all.length);
});

test("rejects a schema of the control plane that the API describes differently", () => {
  const of = (type: string) => ({ operations: [], schemas: { Same: { type } } });
  expect(withControl(of("string"), of("string")).schemas).toEqual({ Same: { type: "string" } });
  expect(() => withControl(of("string"), of("number"))).toThrow(
    "the documents describe components.schemas.Same differently",
  );
});

test("has texts and examples of parameters and bodies, but no examples within schemas", () => {
  const { operations: called, schemas } = calledDocument();
  for (const { id, parameters, requestBody } of called) {
    expect(
      parameters.every(({ description }) => description !== ""),
      id,
    ).toBe(true);
    expect(requestBody === undefined || requestBody.example !== undefined, id).toBe(true);
  }
  expect(schemas["IndicatorInput"]).toMatchObject({ type: "object", properties: {} });
  expect(JSON.stringify(schemas)).not.toContain('"x-fql"');
});
