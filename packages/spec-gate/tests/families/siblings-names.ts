import type { JsonObject } from "../../src/json.ts";
import { operationWith, requestOf, responseOf } from "../../src/testing/documents.ts";
import { familyOf, pairs, done, integer as int, object as obj, text } from "./pair.ts";

/** Siblings of the pairs in the other files: the same kinds of change at other keywords and places. */
/** A schema, and the components that it needs. */
type Choice = readonly [schema: JsonObject, more: JsonObject];
const ref = (n: string) => ({ $ref: "#/components/schemas/" + n });

{
  const { p } = familyOf("discriminators, siblings");
  const inheriting = (
    names: readonly string[],
    mapping?: JsonObject,
    extra: Readonly<Record<string, JsonObject>> = {},
  ) => ({
    components: {
      schemas: {
        Pet: obj(
          { kind: text },
          {
            required: ["kind"],
            discriminator: { propertyName: "kind", ...(mapping ? { mapping } : {}) },
          },
        ),
        ...Object.fromEntries(
          names.map((n) => [n, { allOf: [ref("Pet"), obj({ own: text, ...extra[n] })] }]),
        ),
      },
    },
  });
  const answered = (m: JsonObject) => responseOf(ref("Pet"), m),
    sent = (m: JsonObject) => requestOf(ref("Pet"), m);
  p(
    "inherit rename response",
    answered(inheriting(["Cat", "Dog"])),
    answered(inheriting(["Kitty", "Dog"])),
    "major",
    "major",
  );
  p(
    "inherit rename request",
    sent(inheriting(["Cat", "Dog"])),
    sent(inheriting(["Kitty", "Dog"])),
    "major",
    "major",
  );
  p(
    "inherit mapping added as names",
    answered(inheriting(["Cat", "Dog"])),
    answered(inheriting(["Cat", "Dog"], { Cat: "#/components/schemas/Cat" })),
    "none",
    "none",
  );
  p(
    "inherit mapping rename",
    answered(inheriting(["Cat", "Dog"], { c: "#/components/schemas/Cat" })),
    answered(inheriting(["Cat", "Dog"], { k: "#/components/schemas/Cat" })),
    "major",
    "major",
  );
  p(
    "inherit mapping removed",
    answered(inheriting(["Cat", "Dog"], { c: "#/components/schemas/Cat" })),
    answered(inheriting(["Cat", "Dog"])),
    "major",
    "major",
  );
  p(
    "inherit component renamed with mapping",
    answered(
      inheriting(["Cat", "Dog"], { c: "#/components/schemas/Cat", d: "#/components/schemas/Dog" }),
    ),
    answered(
      inheriting(["Kitty", "Dog"], {
        c: "#/components/schemas/Kitty",
        d: "#/components/schemas/Dog",
      }),
    ),
    "none",
    "none",
  );
  p(
    "inherit child member removed",
    answered(inheriting(["Cat"], undefined, { Cat: { x: text } })),
    answered(inheriting(["Cat"])),
    "major",
    "minor",
  );
  p(
    "inherit child member narrowed request",
    sent(inheriting(["Cat"], undefined, { Cat: { x: text } })),
    sent(inheriting(["Cat"], undefined, { Cat: { x: { ...text, maxLength: 2 } } })),
    "major",
    "minor",
  );
  p(
    "inherit child added response",
    answered(inheriting(["Cat"])),
    answered(inheriting(["Cat", "Dog"])),
    "minor",
    "patch",
  );
  const choice = (names: readonly string[], mapping?: JsonObject) =>
    [
      {
        oneOf: names.map(ref),
        discriminator: { propertyName: "kind", ...(mapping ? { mapping } : {}) },
      },
      {
        components: {
          schemas: Object.fromEntries(
            names.map((n, i) => [n, obj({ kind: text, ["o" + i]: text }, { required: ["kind"] })]),
          ),
        },
      },
    ] as const;
  const answeredOne = (x: Choice) => responseOf(x[0], x[1]),
    sentOne = (x: Choice) => requestOf(x[0], x[1]);
  p(
    "mapping dropped",
    answeredOne(choice(["Cat", "Dog"], { cat: "Cat", dog: "Dog" })),
    answeredOne(choice(["Cat", "Dog"])),
    "major",
    "major",
  );
  p(
    "mapping equal to names",
    answeredOne(choice(["Cat", "Dog"])),
    answeredOne(choice(["Cat", "Dog"], { Cat: "#/components/schemas/Cat", Dog: "Dog" })),
    "none",
    "none",
  );
  p(
    "mapping name vs ref",
    answeredOne(choice(["Cat", "Dog"], { c: "Cat" })),
    answeredOne(choice(["Cat", "Dog"], { c: "#/components/schemas/Cat" })),
    "none",
    "none",
  );
  p(
    "one mapping value removed, branch stays",
    answeredOne(choice(["Cat", "Dog"], { cat: "Cat", dog: "Dog" })),
    answeredOne(choice(["Cat", "Dog"], { cat: "Cat" })),
    "major",
    "major",
  );
  p(
    "branch removed response",
    answeredOne(choice(["Cat", "Dog"])),
    answeredOne(choice(["Cat"])),
    "patch",
    "major",
  );
  p(
    "branch removed request",
    sentOne(choice(["Cat", "Dog"])),
    sentOne(choice(["Cat"])),
    "major",
    "minor",
  );
  p(
    "two values for one",
    answeredOne(choice(["Cat", "Dog"], { cat: "Cat", dog: "Dog" })),
    answeredOne(choice(["Cat", "Dog"], { cat: "Cat", kitty: "Cat", dog: "Dog" })),
    "minor",
    "patch",
  );
  p(
    "propertyName changed",
    answeredOne([
      { ...choice(["Cat", "Dog"])[0], discriminator: { propertyName: "kind" } },
      choice(["Cat", "Dog"])[1],
    ]),
    answeredOne([
      { ...choice(["Cat", "Dog"])[0], discriminator: { propertyName: "type" } },
      choice(["Cat", "Dog"])[1],
    ]),
    "major",
    "major",
  );
  const answeredList = (x: Choice) => responseOf({ type: "array", items: x[0] }, x[1]);
  p(
    "renamed in items",
    answeredList(choice(["Cat", "Dog"])),
    answeredList(choice(["Kitty", "Dog"])),
    "major",
    "major",
  );
  p(
    "renamed in callback",
    operationWith(
      {
        callbacks: {
          c: {
            "{$request.body#/u}": {
              post: {
                requestBody: {
                  content: { "application/json": { schema: choice(["Cat", "Dog"])[0] } },
                },
                responses: { 200: done },
              },
            },
          },
        },
      },
      choice(["Cat", "Dog"])[1],
    ),
    operationWith(
      {
        callbacks: {
          c: {
            "{$request.body#/u}": {
              post: {
                requestBody: {
                  content: { "application/json": { schema: choice(["Kitty", "Dog"])[0] } },
                },
                responses: { 200: done },
              },
            },
          },
        },
      },
      choice(["Kitty", "Dog"])[1],
    ),
    "major",
    "major",
  );
}

{
  const { p } = familyOf("names, siblings");
  p(
    "components swapped",
    responseOf(obj({ a: ref("A"), b: ref("B") }), { components: { schemas: { A: text, B: int } } }),
    responseOf(obj({ a: ref("B"), b: ref("A") }), { components: { schemas: { B: text, A: int } } }),
    "none",
    "none",
  );
  p(
    "component titles swapped",
    responseOf(
      { oneOf: [ref("A"), ref("B")] },
      {
        components: {
          schemas: {
            A: obj({ a: text }, { title: "X", required: ["a"] }),
            B: obj({ b: text }, { title: "Y", required: ["b"] }),
          },
        },
      },
    ),
    responseOf(
      { oneOf: [ref("A"), ref("B")] },
      {
        components: {
          schemas: {
            A: obj({ a: text }, { title: "Y", required: ["a"] }),
            B: obj({ b: text }, { title: "X", required: ["b"] }),
          },
        },
      },
    ),
    "none",
    "none",
  );
}

{
  const { p } = familyOf("nullable, siblings");
  const n = (schema: JsonObject, v: string) => responseOf(obj({ m: schema }), {}, v);
  p(
    "nullable ref 3.0 to anyOf",
    {
      ...responseOf(
        obj({ m: { allOf: [ref("A")], nullable: true } }),
        { components: { schemas: { A: text } } },
        "3.0.3",
      ),
    },
    responseOf(
      obj({ m: { anyOf: [ref("A"), { type: "null" }] } }),
      { components: { schemas: { A: text } } },
      "3.1.0",
    ),
    "none",
    "none",
  );
  p(
    "nullable enum null 3.0",
    n({ ...text, nullable: true, enum: ["a", null] }, "3.0.3"),
    n({ type: ["string", "null"], enum: ["a", null] }, "3.1.0"),
    "none",
    "none",
  );
  p(
    "nullable 3.0 w/o null in enum to 3.1 left",
    n({ ...text, nullable: true, enum: ["a"] }, "3.0.3"),
    n({ ...text, nullable: true, enum: ["a"] }, "3.1.0"),
    "none",
    "none",
  );
  p(
    "nullable added in 3.1",
    n(text, "3.1.0"),
    n({ ...text, nullable: true }, "3.1.0"),
    "major",
    "patch",
  );
  p(
    "nullable false 3.1",
    n(text, "3.1.0"),
    n({ ...text, nullable: false }, "3.1.0"),
    "none",
    "none",
  );
  p(
    "nullable in 3.2",
    n({ ...text, nullable: true }, "3.2.0"),
    n({ type: ["string", "null"] }, "3.2.0"),
    "none",
    "none",
  );
}

{
  const { p } = familyOf("required members, siblings");
  p(
    "required then declared",
    responseOf(obj({}, { required: ["a"] })),
    responseOf(obj({ a: {} }, { required: ["a"] })),
    "minor",
    "major",
  );
  p(
    "request required then declared any",
    requestOf(obj({}, { required: ["a"] })),
    requestOf(obj({ a: {} }, { required: ["a"] })),
    "minor",
    "major",
  );
  p(
    "request required then declared text",
    requestOf(obj({}, { required: ["a"] })),
    requestOf(obj({ a: text }, { required: ["a"] })),
    "minor",
    "major",
  );
}

export const siblingsNames = pairs;
