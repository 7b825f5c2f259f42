import { expect, test } from "vitest";
import { check, onePath } from "../testing/check.ts";
import { completeErrors } from "./complete-errors.ts";

const files = {
  "openapi.yaml": onePath,
  "shared/responses/Error.yaml":
    "content: { application/json: { schema: { $ref: ../schemas/Envelope.yaml } } }\n",
  "shared/responses/Bare.yaml": "content: { application/json: { schema: { type: object } } }\n",
};
const error = "{ $ref: ../../shared/responses/Error.yaml }";
const responses = (success: string, ...statuses: readonly number[]) =>
  `responses:\n    "${success}": {}\n` +
  statuses.map((status) => `    "${status}": ${error}\n`).join("");
const secured = "security: [{ oauth2: [a] }]";

const common = [400, 401, 403, 406, 408, 429, 431, 500, 503];

const checked = (item: string) =>
  check(completeErrors, { ...files, "ioc/paths/things_v1.yaml": item });

test("a query requires the common errors, 401 and 403", () => {
  const query = (...statuses: readonly number[]) =>
    checked(`get:\n  ${secured}\n  ${responses("200", ...statuses)}`);
  expect(query(400, 401, 403, 406, 408, 429, 431, 500, 503)).toEqual([]);
  expect(query(400, 401, 406, 408, 429, 431, 500, 503)).toEqual([
    {
      file: "ioc/paths/things_v1.yaml",
      line: 3,
      found: "no 403",
      expected: "403 among the errors",
    },
  ]);
});

test("errors of a shared set count as documented, and are reported at their place in the set", () => {
  const set = (...statuses: readonly number[]) => ({
    "shared/error-sets/first.yaml": `"400": { $ref: ../responses/Bare.yaml }\n`,
    "shared/error-sets/all.yaml": [
      "$ref: first.yaml\n",
      ...statuses.map((status) => `"${status}": { $ref: ../responses/Error.yaml }\n`),
    ].join(""),
  });
  const query = (...statuses: readonly number[]) =>
    check(completeErrors, {
      ...files,
      ...set(...statuses),
      "ioc/paths/things_v1.yaml": `get:\n  ${secured}\n  responses:\n    $ref: ../../shared/error-sets/all.yaml\n    "200": {}\n    "403": ${error}\n`,
    });
  expect(query(401, 406, 408, 429, 431, 500)).toMatchObject([
    { file: "ioc/paths/things_v1.yaml", line: 3, found: "no 503" },
    { file: "shared/error-sets/first.yaml", line: 1, found: "a 400 without the Envelope" },
  ]);
});

test("ids require 404, a body 413 and 415, a creation 409", () => {
  const byIds = checked(
    `get:\n  ${secured}\n  parameters: [{ name: ids, in: query }]\n  ${responses("200", ...common)}`,
  );
  expect(byIds.map(({ found }) => found)).toEqual(["no 404"]);
  const creation = checked(
    `post:\n  ${secured}\n  requestBody: {}\n  ${responses("201", ...common)}`,
  );
  expect(creation.map(({ found }) => found)).toEqual(["no 409", "no 413", "no 415"]);
});

const repeatable = (method: string, ...more: readonly number[]) =>
  `${method}:\n  ${secured}\n  parameters: [{ name: Idempotency-Key, in: header }, { name: ids, in: query }]\n  ${responses("200", ...common, 404, ...more)}`;

test("an idempotency key requires 409 and 422, and 507 if the operation adds records", () => {
  const found = (method: string, ...more: readonly number[]) =>
    checked(repeatable(method, ...more)).map((each) => each.found);
  for (const method of ["post", "put"]) {
    expect(found(method)).toEqual(["no 409", "no 422", "no 507"]);
    expect(found(method, 409, 422, 507)).toEqual([]);
  }
  expect(found("patch")).toEqual(["no 409", "no 422"]);
  expect(checked(repeatable("patch", 409, 422, 507))).toMatchObject([
    { found: "507", expected: "no 507, because the operation adds no records" },
  ]);
});

test.each(["thing-actions", "things-precedence", "merge"])(
  "an operation of /%s/ adds no records, so that it can be used while the storage is full",
  (part) => {
    const file = `ioc/paths/things_${part}_v1.yaml`;
    const found = (...more: readonly number[]) =>
      check(completeErrors, {
        ...files,
        "openapi.yaml": onePath
          .replaceAll("things_v1", `things_${part}_v1`)
          .replaceAll("/things/v1", `/things/${part}/v1`),
        [file]: repeatable("post", 409, 422, ...more),
      }).map((each) => each.found);
    expect(found()).toEqual([]);
    expect(found(507)).toEqual(["507"]);
  },
);

test("without a token, 403 is not required, and with [] neither is 401", () => {
  const open = [400, 406, 408, 429, 431, 500, 503];
  expect(checked(`get:\n  security: []\n  ${responses("200", ...open)}`)).toEqual([]);
  expect(
    checked(`get:\n  security: [{ basic: [] }, {}]\n  ${responses("200", ...open)}`),
  ).toMatchObject([{ found: "no 401" }]);
});

test("routing errors, unshared errors, other bodies and two successes are found", () => {
  const reports = checked(`get:
  security: []
  responses:
    "200": {}
    "202": {}
    "405": ${error}
    "400": { $ref: ../../shared/responses/Bare.yaml }
    "406": { content: { application/json: { schema: { $ref: ../../shared/schemas/Envelope.yaml } } } }
    "408": ${error}
    "429": ${error}
    "431": ${error}
    "500": ${error}
    "503": ${error}
`);
  expect(reports.map(({ line, found: what }) => [line, what])).toEqual([
    [7, "a 400 without the Envelope"],
    [6, "405"],
    [8, "an unshared 406"],
    [3, "2 successes"],
  ]);
});

test("a part of a file is documented next to the whole file, and requires 416", () => {
  const file = (...statuses: readonly number[]) =>
    checked(`get:\n  ${secured}\n  ${responses("200", ...statuses)}    "206": {}\n`);
  expect(file(...common, 416)).toEqual([]);
  expect(file(...common).map(({ found }) => found)).toEqual(["no 416"]);
});
