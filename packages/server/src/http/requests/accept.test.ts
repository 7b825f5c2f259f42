import { expect, test } from "vitest";
import { ApiError } from "../../foundation/errors.ts";
import { envelopeMediaType } from "../responses/represent.ts";
import { acceptedForm, requireAcceptable } from "./accept.ts";

const form = (accept: string, envelopeOnly = false) => acceptedForm(accept, envelopeOnly).mediaType;

test.each([
  "",
  " ",
  ",",
  ", ,",
  ";q=0",
  "*",
  "*/*;charset=utf-8",
  "application/json; charset=utf-8",
  "application/json;charset=UTF-8",
  'application/json; charset="utf-8"',
  "application/json; charset=iso-8859-1",
  "application/json;version=1;q=0.2",
  'application/json;profile="a, b; q=0"',
  String.raw`application/json;profile="a\", b";q=.5`,
  "application/*; q=0.1",
  "Application/JSON",
  "text/html, image/gif, *; q=.2, */*; q=.2",
  "text/xml;q=0, application/json ; Q = 1.000",
  "application/json;q=high",
  "application/json;q=",
  "application/json;charset=utf-16;q=0, application/json",
])("Accept: %s accepts JSON", (accept) => {
  expect(form(accept)).toBe("application/json; charset=utf-8");
  expect(form(accept, true)).toBe("application/json");
});

test.each([
  `${envelopeMediaType}; charset=utf-8`,
  `application/json;q=0, */*`,
  `application/json;charset=utf-8;q=0, */*;q=0.1`,
  `application/json;q=0.5, ${envelopeMediaType};v=1;q=0.8`,
])("Accept: %s accepts the Envelope by its type", (accept) => {
  expect(form(accept)).toBe(envelopeMediaType);
});

test.each([
  "application/xml",
  "application/json;q=0",
  "*/*;q=0",
  "*;q=0.000",
  "text/*;charset=utf-8",
])("Accept: %s accepts neither", (accept) => {
  expect(() => form(accept)).toThrow(ApiError);
  expect(() => requireAcceptable(accept, ["application/json"])).toThrow(ApiError);
});

test("a file is accepted by its type, whatever the parameters", () => {
  expect(() =>
    requireAcceptable("text/csv; charset=utf-8; header=present", ["text/csv"]),
  ).not.toThrow();
  expect(() => requireAcceptable("text/plain; charset=utf-8", ["text/csv"])).toThrow(ApiError);
});
