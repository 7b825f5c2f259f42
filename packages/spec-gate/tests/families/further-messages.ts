import type { Verdict } from "../../src/change.ts";
import type { JsonObject } from "../../src/json.ts";
import { jsonBody, operationWith } from "../../src/testing/documents.ts";
import { done, familyOf, integer, object, pairs, text } from "./pair.ts";

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

/** Messages that clients send, and messages that they receive. */
const ways = {
  request: (content: JsonObject) => operationWith({ requestBody: { content } }),
  response: (content: JsonObject) => operationWith({ responses: { 200: { ...done, content } } }),
} as const;
/** The verdicts there and back of a wider message, as it is sent and as it is received. */
const widening = (way: string): readonly [Verdict, Verdict] =>
  way === "request" ? ["minor", "major"] : ["major", "patch"];

{
  const { p } = familyOf("encodings");
  const schema = object({ a: text, o: object({ x: text }), l: { type: "array", items: text } });
  for (const [way, at] of Object.entries(ways)) {
    // Only forms have encodings.
    for (const type of ["application/json", "application/xml", "text/plain", "*/*"]) {
      for (const encoding of [
        { o: { contentType: "text/plain" } },
        { a: { headers: { "X-A": { required: true, schema: text } } } },
        { l: { style: "spaceDelimited", explode: false } },
      ]) {
        const name = `of ${type}, ${way}, ${Object.keys(encoding).join()}`;
        p(name, at({ [type]: { schema } }), at({ [type]: { schema, encoding } }), "none", "none");
      }
    }
    const part = (encoding: JsonObject, type = "multipart/form-data") =>
      at({
        [type]: { schema: object({ f: { ...text, format: "binary" } }), encoding: { f: encoding } },
      });
    for (const [narrow, wide] of [
      ["image/png", "image/png, image/jpeg"],
      ["image/png", "image/*"],
      ["image/png, text/csv", "text/*, image/*"],
      ["text/csv", "*/*"],
      ["text/csv;version=1", "text/csv"],
    ] as const) {
      p(
        `${narrow} to ${wide}, ${way}`,
        part({ contentType: narrow }),
        part({ contentType: wide }),
        ...widening(way),
      );
    }
    p(
      `another type, ${way}`,
      part({ contentType: "image/png" }),
      part({ contentType: "text/csv" }),
      "major",
      "major",
    );
    p(
      `the order of types, ${way}`,
      part({ contentType: "image/png,text/csv" }),
      part({ contentType: "text/csv, image/png" }),
      "none",
      "none",
    );
    p(
      `the default, ${way}`,
      part({}),
      part({ contentType: "application/octet-stream" }),
      "none",
      "none",
    );
    const headers = (header?: JsonObject) =>
      part({
        contentType: "text/csv",
        ...(header === undefined ? {} : { headers: { "X-A": header } }),
      });
    const isRequest = way === "request";
    const schemaOf = (more: JsonObject = {}) => ({ schema: text, ...more });
    p(`an optional header, ${way}`, headers(), headers(schemaOf()), "minor", "major");
    p(
      `a required header, ${way}`,
      headers(),
      headers(schemaOf(required)),
      isRequest ? "major" : "minor",
      "major",
    );
    p(
      `a header becomes required, ${way}`,
      headers(schemaOf()),
      headers(schemaOf(required)),
      isRequest ? "major" : "patch",
      isRequest ? "minor" : "major",
    );
    p(
      `a header of fewer values, ${way}`,
      headers({ schema: { enum: ["a"] } }),
      headers({ schema: text }),
      ...widening(way),
    );
    p(
      `the type as a header, ${way}`,
      headers(),
      part({ contentType: "text/csv", headers: { "Content-Type": schemaOf(required) } }),
      "none",
      "none",
    );
    p(
      `a header of a member without parts, ${way}`,
      at({ "application/x-www-form-urlencoded": { schema, encoding: { a: {} } } }),
      at({
        "application/x-www-form-urlencoded": {
          schema,
          encoding: { a: { headers: { "X-A": schemaOf(required) } } },
        },
      }),
      "none",
      "none",
    );
  }
}

{
  // One value of a form is written like a list of one.
  const { p } = familyOf("lists in forms");
  const list = (items: JsonObject, more: JsonObject = {}) => ({ type: "array", items, ...more });
  for (const type of ["application/x-www-form-urlencoded", "multipart/form-data"]) {
    for (const [way, at] of Object.entries(ways)) {
      const form = (schema: JsonObject, encoding?: JsonObject) =>
        at({
          [type]: {
            schema: object({ a: schema }),
            ...(encoding === undefined ? {} : { encoding: { a: encoding } }),
          },
        });
      const verdicts = widening(way);
      const name = `${type}, ${way}`;
      p(`a text, ${name}`, form(text), form(list(text)), ...verdicts);
      p(`a number, ${name}`, form(integer), form(list(integer)), ...verdicts);
      p(
        `listed values, ${name}`,
        form({ enum: ["a"] }),
        form(list({ enum: ["a", "b"] })),
        ...verdicts,
      );
      p(
        `a list of one, ${name}`,
        form(text),
        form(list(text, { minItems: 1, maxItems: 1 })),
        "none",
        "none",
      );
      p(`a list of two, ${name}`, form(text), form(list(text, { minItems: 2 })), "major", "major");
      p(
        `exploded as it says, ${name}`,
        form(text, { explode: true }),
        form(list(text), { style: "form" }),
        ...verdicts,
      );
      p(
        `as JSON, ${name}`,
        form(text, { contentType: "application/json" }),
        form(list(text), { contentType: "application/json" }),
        "major",
        "major",
      );
    }
  }
  const files = (schema: JsonObject) =>
    ways.request({ "multipart/form-data": { schema: object({ f: schema }) } });
  const file = { ...text, format: "binary" };
  p("a file", files(file), files(list(file)), "minor", "major");
  const person = object({ name: text });
  p("an object as a part", files(person), files(list(person)), "minor", "major");
  const joined = { "application/x-www-form-urlencoded": {} };
  const url = (schema: JsonObject) =>
    ways.request({
      [Object.keys(joined)[0] ?? ""]: {
        schema: object({ a: schema }),
        encoding: { a: { explode: false } },
      },
    });
  p("numbers joined by commas", url(integer), url(list(integer)), "minor", "major");
  p("texts joined by commas", url(text), url(list(text)), "major", "major");
}

{
  const { p } = familyOf("null in headers");
  const header = (schema: JsonObject, version?: string) =>
    operationWith({ responses: { 200: { ...done, headers: { "X-A": { schema } } } } }, {}, version);
  p("a text", header(text), header({ type: ["string", "null"] }), "none", "none");
  p("a number", header(integer), header({ type: ["integer", "null"] }), "none", "none");
  p(
    "nullable",
    header(text, "3.0.3"),
    header({ ...text, nullable: true }, "3.0.3"),
    "none",
    "none",
  );
  p("a branch", header(text), header({ anyOf: [text, { type: "null" }] }), "none", "none");
  p("and another type", header(integer), header({ type: ["string", "null"] }), "major", "patch");
}

{
  const { p } = familyOf("bodies without a schema");
  for (const [way, at] of Object.entries(ways)) {
    const body = (media: JsonObject, type = "application/json") => at({ [type]: media });
    for (const schema of [{}, true, { description: "Anything." }, { title: "A" }]) {
      p(`${JSON.stringify(schema)}, ${way}`, body({}), body({ schema }), "none", "none");
      const of = { $ref: "#/components/schemas/A" };
      const named = (media: JsonObject) => ({
        ...body(media),
        components: { schemas: { A: schema } },
      });
      p(
        `${JSON.stringify(schema)} by name, ${way}`,
        named({}),
        named({ schema: of }),
        "none",
        "none",
      );
    }
    const verdicts = widening(way);
    for (const schema of [text, { not: text }, { minLength: 1 }, { type: ["string", "null"] }]) {
      p(`${JSON.stringify(schema)}, ${way}`, body({ schema }), body({}), ...verdicts);
    }
  }
}

export const furtherMessages = pairs;
