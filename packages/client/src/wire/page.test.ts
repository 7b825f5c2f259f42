import { describe, expect, test } from "vitest";
import { readLinks, readPage } from "./page.ts";

describe("readPage", () => {
  test("reads the headers of a page", () => {
    const headers = new Headers({
      "X-Pagination-Limit": "100",
      "X-Pagination-Offset": "0",
      "X-Total-Count": "250",
      "X-Pagination-After": "eyJ4Ijoi",
    });
    expect(readPage(headers, undefined)).toEqual({
      limit: 100,
      offset: 0,
      total: 250,
      after: "eyJ4Ijoi",
    });
  });

  test("reads the Envelope if the headers have no page data", () => {
    const pagination = { limit: 5, offset: 10, total: 12, after: "x" };
    expect(readPage(new Headers({ "X-Pagination-Limit": "6" }), pagination)).toEqual({
      limit: 6,
      offset: 10,
      total: 12,
      after: "x",
    });
  });

  test("omits values that it cannot read", () => {
    const headers = new Headers({ "X-Pagination-Limit": "many", "X-Total-Count": "" });
    expect(readPage(headers, { limit: 5, after: 3 })).toEqual({
      limit: undefined,
      offset: undefined,
      total: undefined,
      after: undefined,
    });
  });
});

describe("readLinks", () => {
  test.each([
    [null, {}],
    ["", {}],
    ['<a>; rel="next", <b>; rel="prev"', { next: "a", prev: "b" }],
    ["<a?x=1,2;3>; rel=next", { next: "a?x=1,2;3" }],
    ['<a>; title="x, <b>; rel=y"; rel="next"', { next: "a" }],
    ['<a>; rel="next first"', { next: "a", first: "a" }],
    ['<a>; rel="next", <b>; rel="next"', { next: "a" }],
    ["<a>", {}],
    ["a; rel=next", {}],
  ])("reads %j", (header, links) => {
    const headers = new Headers(header === null ? {} : { link: header });
    expect(readLinks({ headers })).toEqual(links);
  });
});
