import { describe, expect, test } from "vitest";
import { decodeAnswer, readResponse, receive, type Answer, type Received } from "./answer.ts";
import { failedOperation, UnexpectedResponseError } from "./errors.ts";
import * as identity from "../generated/identity-protection.ts";
import * as ioc from "../generated/ioc.ts";
import * as oauth2 from "../generated/oauth2.ts";
import type { Descriptor } from "./descriptor.ts";
import { refusalError } from "./refusal.ts";
import { TestClock } from "../../tests/support/test-clock.ts";

const ids: Descriptor = ioc.listIndicatorIds.descriptor;
const records: Descriptor = ioc.getIndicators.descriptor;
const object: Descriptor = ioc.getIndicatorsReport.descriptor;
const envelope: Descriptor = oauth2.revokeToken.descriptor;

const meta = { query_time: 0.1, powered_by: "p", trace_id: "t" };

function answer(payload: unknown, headers: Readonly<Record<string, string>> = {}) {
  const all = new Headers({ "content-type": "application/json; charset=utf-8", ...headers });
  const received: Received = { response: readResponse({ status: 200, headers: all }), payload };
  return received;
}

/** As a call does it: the data, or an error. */
function decode(descriptor: Descriptor, received: Received): Answer<unknown> {
  const decoded = decodeAnswer(descriptor, received);
  if (decoded !== undefined) return decoded;
  throw refusalError(descriptor, received, new TestClock(), failedOperation(descriptor));
}

function wrapped(payload: object, headers: Readonly<Record<string, string>> = {}) {
  const type = "application/vnd.security-platform.envelope+json";
  return answer({ meta, errors: [], ...payload }, { "content-type": type, ...headers });
}

describe("decodeAnswer", () => {
  test("returns the body of the default representation unchanged", () => {
    expect(decode(ids, answer(["a"])).data).toEqual(["a"]);
    expect(decode(object, answer({ row_count: 0 })).data).toEqual({ row_count: 0 });
    expect(decode(envelope, answer({ meta, errors: [] })).data).toEqual({ meta, errors: [] });
  });

  test("unwraps the data of the Envelope representation", () => {
    expect(decode(ids, wrapped({ resources: ["a"] })).data).toEqual(["a"]);
    expect(decode(object, wrapped({ resources: [{ row_count: 0 }] })).data).toEqual({
      row_count: 0,
    });
    expect(decode(envelope, wrapped({ resources: [] })).data).toEqual({
      meta,
      resources: [],
      errors: [],
    });
  });

  test("unwraps an Envelope that arrives as plain JSON", () => {
    const plain = (resources: unknown) => answer({ meta, resources, errors: [] });
    expect(decode(ids, plain(["a"])).data).toEqual(["a"]);
    expect(decode(object, plain([{ row_count: 0 }])).data).toEqual({ row_count: 0 });
  });

  test("finds an object that is resources itself, or at the top level", () => {
    expect(decode(object, wrapped({ resources: { id: "a" } })).data).toEqual({ id: "a" });
    const graph = decode(identity.runQuery.descriptor, wrapped({ data: { a: 1 } }));
    expect(graph.data).toMatchObject({ data: { a: 1 } });
  });

  test("reads page data from both representations, and only for paging operations", () => {
    const pagination = { limit: 2, offset: 0, total: 9 };
    const both = wrapped({ resources: [], meta: { ...meta, pagination } });
    expect(decode(ids, both)).toMatchObject({ page: { limit: 2, offset: 0, total: 9 } });
    const other = decode(ids, answer([], { "x-pagination-limit": "3" }));
    expect(other).toMatchObject({ page: { limit: 3 } });
    expect(decode(records, both)).not.toHaveProperty("page");
  });

  test.each([
    [ids, answer({ meta, resources: ["a"] }), ", expected: list"],
    [ids, answer(undefined), "no body, expected: list"],
    [ids, answer("<html>", { "content-type": "text/html" }), "a body of type text/html"],
    [object, answer([]), ", expected: object"],
    [object, wrapped({ resources: [] }), ", expected: object"],
    [envelope, answer({}), ", expected: envelope"],
    [ids, wrapped({}), ", expected: list"],
  ])("rejects a response of the wrong kind (%#)", (operation, response, message) => {
    expect(() => decode(operation, response)).toThrow(UnexpectedResponseError);
    expect(() => decode(operation, response)).toThrow(message);
  });

  test("accepts no body where the document has none", () => {
    expect(decode({ ...object, answer: "none" }, answer(undefined)).data).toBeUndefined();
  });
});

describe("receive", () => {
  test("reads JSON, other text, and no body", async () => {
    const read = async (body: string | null): Promise<unknown> => {
      const response = new Response(body, { status: 400 });
      return (await receive(response, readResponse(response))).payload;
    };
    expect(await read('{"errors":[]}')).toEqual({ errors: [] });
    expect(await read("plain")).toBe("plain");
    expect(await read(null)).toBeUndefined();
  });
});
