import { describe, expect, test } from "vitest";
import { encodeRequest } from "./encode.ts";
import * as ioc from "../generated/ioc.ts";
import * as oauth2 from "../generated/oauth2.ts";
import type { Descriptor } from "./descriptor.ts";

const list: Descriptor = ioc.listIndicators.descriptor;
const get: Descriptor = ioc.getIndicators.descriptor;
const update: Descriptor = ioc.updateIndicators.descriptor;
const token: Descriptor = oauth2.createToken.descriptor;
const byPath: Descriptor = { ...get, path: "/reports/{uuid}/{part}" };

describe("encodeRequest: query", () => {
  test("omits undefined values and keeps false, 0 and empty strings", () => {
    const query = { filter: "", from_parent: false, offset: 0, after: undefined };
    expect(encodeRequest(list, query).query).toEqual({
      filter: "",
      from_parent: false,
      offset: 0,
    });
  });

  test("repeats the name for lists", () => {
    expect(encodeRequest(get, { ids: ["a", "b"] }).query).toEqual({ ids: ["a", "b"] });
  });

  test.each([
    [{ ids: [] }, RangeError, "ids must not be an empty list"],
    [{ ids: [undefined] }, TypeError, "ids must be a string"],
    [{ ids: [["a"]] }, TypeError, "ids must be a string"],
    [{ ids: null }, TypeError, "ids must be a string"],
    [{ limit: Number.NaN }, TypeError, "limit must be a string, number or boolean, not NaN"],
    [{ limit: Infinity }, TypeError, "limit must be"],
    [{ filter: { field: "type" } }, TypeError, "filter must be"],
  ])("rejects %j, which a query cannot contain", (query, type, message) => {
    expect(() => encodeRequest(get, query)).toThrow(type);
    expect(() => encodeRequest(get, query)).toThrow(`indicator.get.v1: ${message}`);
  });

  test("rejects an empty sort order", () => {
    expect(() => encodeRequest(list, { sort: [] })).toThrow("sort must not be an empty list");
  });
});

describe("encodeRequest: path", () => {
  test("uses path parameters", () => {
    const path = { uuid: "a/b", part: 1 };
    expect(encodeRequest(byPath, path).pathParameters).toEqual(path);
  });

  test.each([[""], ["."], [".."], [undefined], [null]])("rejects %j as a segment", (uuid) => {
    expect(() => encodeRequest(byPath, { uuid, part: "p" })).toThrow(/uuid/);
  });
});

const bodyOf = (operation: Descriptor, body: unknown): unknown => {
  const encoded = encodeRequest(operation, { body }).body;
  return typeof encoded === "string" ? JSON.parse(encoded) : encoded;
};

describe("encodeRequest: body", () => {
  test("is JSON as passed in, including null, false and empty values", () => {
    const indicators = [{ id: "a", description: null, source: "", tags: [], severity: undefined }];
    expect(bodyOf(update, { indicators })).toEqual({
      indicators: [{ id: "a", description: null, source: "", tags: [] }],
    });
  });

  test.each([[NaN], [Infinity]])("is not JSON with null in place of %s", (rating) => {
    expect(() => encodeRequest(update, { body: { indicators: [{ id: "a", rating }] } })).toThrow(
      `${update.id}: rating must be a string, number or boolean, not ${rating}`,
    );
  });

  test("is a form where the document says so", () => {
    const body = { client_id: "a b", client_secret: "x&y=z+", scope: undefined };
    expect(encodeRequest(token, { body }).body).toBe("client_id=a+b&client_secret=x%26y%3Dz%2B");
  });

  test("is rejected if the operation has none", () => {
    expect(() => encodeRequest(get, { ids: ["a"], body: {} })).toThrow(
      "indicator.get.v1 does not accept a body",
    );
  });

  test("has its media type, unless fetch chooses the boundary of the parts", () => {
    const typeOf = (descriptor: Descriptor, body: unknown): unknown =>
      encodeRequest(descriptor, { body }).headers["content-type"];
    expect(typeOf(update, {})).toBe("application/json");
    expect(typeOf(token, {})).toBe("application/x-www-form-urlencoded");
    expect(typeOf({ ...update, body: "parts" }, new FormData())).toBeUndefined();
  });
});
