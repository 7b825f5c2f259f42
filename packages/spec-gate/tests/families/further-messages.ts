import type { JsonObject } from "../../src/json.ts";
import { jsonBody, operationWith } from "../../src/testing/documents.ts";
import { familyOf, object, pairs, text } from "./pair.ts";

const required = { required: true };
const a = { ...text, default: "a" };
const b = { ...text, default: "b" };

{
  // A default matters only to clients that may leave the value out.
  const { p } = familyOf("defaults of what clients always send");
  const parameter = (place: string, schema: JsonObject, more: JsonObject = {}) =>
    operationWith({ parameters: [{ name: "X-Q", in: place, schema, ...more }] });
  const member = (schema: JsonObject, ...names: readonly string[]) =>
    operationWith({ requestBody: jsonBody(object({ m: schema }, { required: [...names] })) });
  for (const place of ["query", "header", "cookie"]) {
    const q = (schema: JsonObject, more?: JsonObject) => parameter(place, schema, more);
    p(`${place}, optional with a default`, q(text, required), q(a), "minor", "major");
    p(`${place}, optional without one`, q(text, required), q(text), "minor", "major");
    p(`${place}, required, a default is new`, q(text, required), q(a, required), "minor", "patch");
    p(`${place}, required, another default`, q(a, required), q(b, required), "patch", "patch");
    p(`${place}, optional, a default is new`, q(text), q(a), "major", "major");
    p(`${place}, optional, another default`, q(a), q(b), "major", "major");
    p(
      `${place}, required, loses its default and the need`,
      q(a, required),
      q(text),
      "minor",
      "major",
    );
  }
  p("a member, optional with a default", member(text, "m"), member(a), "minor", "major");
  p("a member, required, a default is new", member(text, "m"), member(a, "m"), "minor", "patch");
  p("a member, required, another default", member(a, "m"), member(b, "m"), "patch", "patch");
  p("a member, optional, another default", member(a), member(b), "major", "major");
  p("a member, optional, a default is new", member(text), member(a), "minor", "major");
}

export const furtherMessages = pairs;
