import { describe, expect, it } from "vitest";
import { decodeAnswer } from "./answer.ts";
import { UnexpectedResponseError } from "./errors.ts";
import { operationTable } from "./generated/operations.ts";
import type { Operation } from "./operation.ts";
import type { TransportResponse } from "./transport.ts";

const ids: Operation = operationTable["indicator.search.v1"];
const records: Operation = operationTable["indicator.get.v1"];
const object: Operation = operationTable.GetIndicatorsReport;
const envelope: Operation = operationTable.oauth2RevokeToken;

const meta = { query_time: 0.1, powered_by: "p", trace_id: "t" };

function answer(payload: unknown, headers: Readonly<Record<string, string>> = {}) {
  const response: TransportResponse = {
    status: 200,
    headers: new Headers({ "content-type": "application/json; charset=utf-8", ...headers }),
    payload,
  };
  return response;
}

function wrapped(payload: object, headers: Readonly<Record<string, string>> = {}) {
  const type = "application/vnd.security-platform.envelope+json";
  return answer({ meta, errors: [], ...payload }, { "content-type": type, ...headers });
}

describe("decodeAnswer", () => {
  it("returns the body of the default representation unchanged", () => {
    expect(decodeAnswer(ids, answer(["a"])).data).toEqual(["a"]);
    expect(decodeAnswer(object, answer({ row_count: 0 })).data).toEqual({ row_count: 0 });
    expect(decodeAnswer(envelope, answer({ meta, errors: [] })).data).toEqual({ meta, errors: [] });
  });

  it("unwraps the data of the Envelope representation", () => {
    expect(decodeAnswer(ids, wrapped({ resources: ["a"] })).data).toEqual(["a"]);
    expect(decodeAnswer(object, wrapped({ resources: [{ row_count: 0 }] })).data).toEqual({
      row_count: 0,
    });
    expect(decodeAnswer(envelope, wrapped({ resources: [] })).data).toEqual({
      meta,
      resources: [],
      errors: [],
    });
  });

  it("unwraps an Envelope that arrives as plain JSON", () => {
    const plain = (resources: unknown) => answer({ meta, resources, errors: [] });
    expect(decodeAnswer(ids, plain(["a"])).data).toEqual(["a"]);
    expect(decodeAnswer(object, plain([{ row_count: 0 }])).data).toEqual({ row_count: 0 });
  });

  it("finds an object that is resources itself, or at the top level", () => {
    expect(decodeAnswer(object, wrapped({ resources: { id: "a" } })).data).toEqual({ id: "a" });
    const graph = decodeAnswer(operationTable.post_graphql, wrapped({ data: { a: 1 } }));
    expect(graph.data).toMatchObject({ data: { a: 1 } });
  });

  it("reads page data from both representations, and only for paging operations", () => {
    const pagination = { limit: 2, offset: 0, total: 9 };
    const both = wrapped({ resources: [], meta: { ...meta, pagination } });
    expect(decodeAnswer(ids, both).page).toMatchObject({ limit: 2, offset: 0, total: 9 });
    expect(decodeAnswer(ids, answer([], { "x-pagination-limit": "3" })).page?.limit).toBe(3);
    expect(decodeAnswer(records, both).page).toBeUndefined();
  });

  it.each([
    [ids, answer({ meta, resources: ["a"] }), "instead of a list"],
    [ids, answer(undefined), "no body instead of a list"],
    [ids, answer("<html>", { "content-type": "text/html" }), "a body of type text/html"],
    [object, answer([]), "instead of an object"],
    [object, wrapped({ resources: [] }), "instead of an object"],
    [envelope, answer({}), "instead of an envelope"],
    [ids, wrapped({}), "instead of a list"],
  ])("rejects a response of the wrong kind (%#)", (operation, response, message) => {
    expect(() => decodeAnswer(operation, response)).toThrow(UnexpectedResponseError);
    expect(() => decodeAnswer(operation, response)).toThrow(message);
  });

  it("accepts a file, or no body, where the document has one", () => {
    const file = new Blob(["x"]);
    expect(decodeAnswer({ ...object, answer: "file" }, answer(file)).data).toBe(file);
    expect(decodeAnswer({ ...object, answer: "none" }, answer(undefined)).data).toBeUndefined();
  });
});
