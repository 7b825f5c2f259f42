import { expect, test } from "vitest";
import { check, onePath } from "../testing/check.ts";
import { idempotencyKeys } from "./idempotency-keys.ts";

const key = { $ref: "../../shared/parameters/IdempotencyKey.yaml" };
const replayed = { "Idempotency-Replayed": {} };

interface Change {
  readonly scope?: string;
  readonly parameters?: readonly object[];
  readonly headers?: object;
  readonly status?: number;
}

function found(
  method: string,
  { scope = "things:write", parameters = [key], headers = replayed, status = 200 }: Change,
) {
  const operation = {
    operationId: "act",
    security: [{ oauth2: [scope] }],
    parameters,
    responses: { [status]: { headers }, 400: {} },
  };
  return check(idempotencyKeys, {
    "openapi.yaml": onePath,
    "shared/parameters/IdempotencyKey.yaml": "name: Idempotency-Key\nin: header\n",
    "ioc/paths/things_v1.yaml": JSON.stringify({ [method]: operation }),
  }).map(({ found: text }) => text);
}

test("a POST and a PATCH that write take the key, and their successes say whether they are stored", () => {
  expect(found("post", {})).toEqual([]);
  expect(found("patch", {})).toEqual([]);
  expect(found("post", { parameters: [] })).toEqual(["no Idempotency-Key"]);
  expect(found("patch", { parameters: [{ name: "id" }] })).toEqual(["no Idempotency-Key"]);
  expect(found("post", { headers: {} })).toEqual(["no Idempotency-Replayed"]);
});

test("a POST that reads needs no key, but may take it", () => {
  expect(found("post", { scope: "things:read", parameters: [] })).toEqual([]);
  expect(found("post", { scope: "things:read" })).toEqual([]);
});

test("a PUT takes the key if it creates", () => {
  expect(found("put", { parameters: [] })).toEqual([]);
  expect(found("put", { parameters: [], status: 201 })).toEqual(["no Idempotency-Key"]);
  expect(found("put", { status: 201 })).toEqual([]);
});

test("other methods take no key", () => {
  expect(found("delete", { parameters: [] })).toEqual([]);
  expect(found("delete", {})).toEqual(["a delete with Idempotency-Key"]);
});
