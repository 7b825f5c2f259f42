import type { Json, JsonObject } from "../../src/json.ts";
import { requestOf, responseOf } from "../../src/testing/documents.ts";
import { familyOf, integer, object, pairs, same, text, wider } from "./pair.ts";

const formatted = (format: string): JsonObject => ({ ...text, format });

{
  // Alternatives that have no value in common may also be those of oneOf.
  const family = "alternatives without a common value";
  const disjoint: readonly (readonly [string, readonly Json[]])[] = [
    ["formats", [formatted("uuid"), formatted("date")]],
    ["formats of addresses", [formatted("ipv4"), formatted("ipv6")]],
    ["formats of time", [formatted("date-time"), formatted("date"), formatted("duration")]],
    ["a format and an encoding", [formatted("uuid"), formatted("byte")]],
    ["an unknown format", [formatted("order-number"), formatted("customer-number")]],
    ["types", [text, integer, { type: "boolean" }]],
    ["lists", [{ type: "array", items: text }, text]],
    [
      "types of required members",
      [object({ a: text }, { required: ["a"] }), object({ a: integer }, { required: ["a"] })],
    ],
    [
      "formats of required members",
      [
        object({ a: formatted("uuid") }, { required: ["a"] }),
        object({ a: formatted("email") }, { required: ["a"] }),
      ],
    ],
    [
      "ranges",
      [
        { ...integer, maximum: 1 },
        { ...integer, minimum: 2 },
      ],
    ],
    [
      "lengths",
      [
        { ...text, maxLength: 2 },
        { ...text, minLength: 3 },
      ],
    ],
    [
      "patterns",
      [
        { ...text, pattern: "^a" },
        { ...text, pattern: "^b" },
      ],
    ],
  ];
  for (const [name, branches] of disjoint) {
    same(family, name, { anyOf: branches }, { oneOf: branches });
  }
  const overlapping: readonly (readonly [string, readonly Json[]])[] = [
    ["a format and any text", [formatted("uuid"), text]],
    ["formats of which one is a part of the other", [formatted("uri"), formatted("uri-reference")]],
    [
      "integer formats",
      [
        { ...integer, format: "int32" },
        { ...integer, format: "int64" },
      ],
    ],
  ];
  const { both } = familyOf(family);
  for (const [name, branches] of overlapping) {
    both(name, { oneOf: branches }, { anyOf: branches }, ["minor", "major"], ["major", "patch"]);
  }
}

{
  // A member with a constant in each alternative splits an object.
  const family = "an object split by a member";
  const kinds = ["a", "b", "c"];
  const rest = { x: text, y: integer };
  for (const required of [["kind", "x"], ["kind"]]) {
    const flat = object({ kind: { enum: kinds }, ...rest }, { required });
    const branches = kinds.map((kind) => object({ kind: { const: kind }, ...rest }, { required }));
    same(family, `oneOf, required ${required.join(", ")}`, flat, { oneOf: branches });
    same(family, `anyOf, required ${required.join(", ")}`, flat, { anyOf: branches });
    same(family, `two values in one, required ${required.join(", ")}`, flat, {
      oneOf: [
        object({ kind: { enum: ["a", "c"] }, ...rest }, { required }),
        object({ kind: { enum: ["b"] }, ...rest }, { required }),
      ],
    });
    same(family, `a common part, required ${required.join(", ")}`, flat, {
      ...object(rest, { required }),
      oneOf: kinds.map((kind) => ({ properties: { kind: { const: kind } } })),
    });
    wider(
      family,
      `a value less, required ${required.join(", ")}`,
      { oneOf: branches.slice(1) },
      flat,
    );
    wider(family, `a value more, required ${required.join(", ")}`, flat, {
      oneOf: [...branches, object({ kind: { const: "d" }, ...rest }, { required })],
    });
    wider(
      family,
      `a narrower part, required ${required.join(", ")}`,
      {
        oneOf: [
          object({ kind: { const: "a" }, ...rest, y: { ...integer, minimum: 1 } }, { required }),
          ...branches.slice(1),
        ],
      },
      flat,
    );
  }
  const { both } = familyOf(family);
  const flat = object({ kind: { enum: kinds }, ...rest }, { required: ["kind"] });
  const tagged = {
    oneOf: kinds.map((kind) => object({ kind: { const: kind }, ...rest }, { required: ["kind"] })),
    discriminator: { propertyName: "kind" },
  };
  both("with a discriminator", flat, tagged, ["patch", "patch"], ["patch", "patch"]);
  const closed = { additionalProperties: false, required: ["kind"] };
  same(family, "closed objects", object({ kind: { enum: kinds }, ...rest }, closed), {
    oneOf: kinds.map((kind) => object({ kind: { const: kind }, ...rest }, closed)),
  });
  same(family, "a flag", object({ on: { type: "boolean" }, ...rest }, { required: ["on"] }), {
    oneOf: [true, false].map((on) => object({ on: { const: on }, ...rest }, { required: ["on"] })),
  });
}

{
  // Integers that a double cannot hold.
  const family = "large integers";
  const [one, two, three] = [
    9_007_199_254_740_992n,
    9_007_199_254_740_993n,
    9_007_199_254_740_994n,
  ];
  wider(family, "maximum", { ...integer, maximum: one }, { ...integer, maximum: two });
  wider(family, "minimum", { ...integer, minimum: two }, { ...integer, minimum: one });
  wider(
    family,
    "exclusive",
    { ...integer, exclusiveMaximum: two },
    { ...integer, exclusiveMaximum: three },
  );
  same(
    family,
    "the same limit",
    { ...integer, exclusiveMaximum: three },
    { ...integer, maximum: two },
  );
  wider(family, "enumeration", { enum: [one] }, { enum: [one, two] });
  wider(family, "negative", { ...integer, minimum: -one }, { ...integer, minimum: -two });
  wider(family, "beside 64 bits", { ...integer, maximum: 2n ** 63n - 2n }, integer);
  same(
    family,
    "listed and limited",
    { enum: [two, three] },
    { ...integer, minimum: two, maximum: three },
  );
  same(
    family,
    "spelled out, int64",
    { ...integer, format: "int64" },
    {
      ...integer,
      minimum: -(2n ** 63n),
      maximum: 2n ** 63n - 1n,
    },
  );
  same(
    family,
    "spelled out, uint64",
    { ...integer, format: "uint64" },
    {
      ...integer,
      format: "uint64",
      minimum: 0,
      maximum: 2n ** 64n - 1n,
    },
  );
  const { both } = familyOf(family);
  both("constant", { const: one }, { const: two }, ["major", "major"], ["major", "major"]);
  both(
    "default",
    { ...integer, default: one },
    { ...integer, default: two },
    ["major", "major"],
    ["patch", "patch"],
  );
}

{
  // Limits that a format implies.
  const family = "limits of formats";
  const ranges = { int8: 7, int16: 15, int32: 31 };
  for (const [format, bits] of Object.entries(ranges)) {
    const own = { ...integer, format };
    const [minimum, maximum] = [-(2 ** bits), 2 ** bits - 1];
    same(family, `${format}, both`, own, { ...own, minimum, maximum });
    same(family, `${format}, only above`, own, { ...own, maximum });
    same(family, `${format}, exclusive`, own, {
      ...own,
      exclusiveMinimum: minimum - 1,
      exclusiveMaximum: maximum + 1,
    });
    same(family, `${format}, without the format`, own, { ...integer, minimum, maximum });
    same(family, `${format}, wider limits`, own, {
      ...own,
      minimum: minimum * 2,
      maximum: maximum * 2,
    });
    same(
      family,
      `${format}, or null`,
      { ...own, type: ["integer", "null"] },
      { ...own, type: ["integer", "null"], maximum },
    );
    same(
      family,
      `${format}, beside a limit`,
      { ...own, minimum: 0 },
      { ...own, minimum: 0, maximum },
    );
    same(family, `${format}, in allOf`, own, { allOf: [own, { minimum }] });
    wider(family, `${format}, a narrower limit`, { ...own, maximum: maximum - 1 }, own);
  }
  for (const [format, bits] of Object.entries({ uint8: 8, uint16: 16, uint32: 32 })) {
    const own = { ...integer, format };
    same(family, format, own, { ...integer, minimum: 0, maximum: 2 ** bits - 1 });
    same(family, `${format}, at least 0`, own, { ...own, minimum: 0 });
  }
  same(
    family,
    "uint64, at least 0",
    { ...integer, format: "uint64" },
    { ...integer, format: "uint64", minimum: 0 },
  );
  same(family, "lengths of uuid", formatted("uuid"), {
    ...formatted("uuid"),
    minLength: 36,
    maxLength: 36,
  });
  same(family, "lengths of date", formatted("date"), {
    ...formatted("date"),
    minLength: 10,
    maxLength: 10,
  });
}

{
  // The outermost resource on the way to a dynamic reference decides what it means.
  const family = "dynamic references";
  const { p } = familyOf(family);
  const listOf = (more: JsonObject = {}) => ({
    $id: "list",
    type: "object",
    properties: { items: { type: "array", items: { $dynamicRef: "#item" } } },
    $defs: { any: { $dynamicAnchor: "item", ...more } },
  });
  const bound = (id: string, item: JsonObject, to = "list") => ({
    $id: id,
    $ref: to,
    $defs: { item: { $dynamicAnchor: "item", ...item } },
  });
  const plain = (item: Json) => object({ items: { type: "array", items: item } });
  const limited = { ...text, maxLength: 3 };
  const places: Readonly<Record<string, (schemas: JsonObject, of: string) => JsonObject>> = {
    request: (schemas, of) => requestOf({ $ref: of }, { components: { schemas } }),
    response: (schemas, of) => responseOf({ $ref: of }, { components: { schemas } }),
  };
  for (const [place, at] of Object.entries(places)) {
    const isRequest = place === "request";
    const [there, back] = isRequest ? (["minor", "major"] as const) : (["major", "patch"] as const);
    const of = (item: JsonObject) => at({ List: listOf(), Texts: bound("texts", item) }, "texts");
    const written = (item: Json) => at({ Texts: plain(item) }, "#/components/schemas/Texts");
    p(`bound to a narrower item, ${place}`, of(limited), of(text), there, back);
    p(`bound and written out, ${place}`, of(text), written(text), "none", "none");
    p(
      `the own item is free, ${place}`,
      at({ List: listOf() }, "list"),
      written(true),
      "none",
      "none",
    );
    p(
      `the own item does not matter, ${place}`,
      at({ List: listOf(), Texts: bound("texts", text) }, "texts"),
      at({ List: listOf(integer), Texts: bound("texts", text) }, "texts"),
      "none",
      "none",
    );
    const absolute = (item: JsonObject, to: string) =>
      at(
        {
          List: { ...listOf(), $id: "https://a.example/schemas/list" },
          Texts: bound("https://a.example/schemas/texts", item, to),
        },
        "https://a.example/schemas/texts",
      );
    for (const to of ["list", "./list", "/schemas/list", "https://a.example/schemas/list"]) {
      p(`bound to ${to}, ${place}`, absolute(limited, to), absolute(text, to), there, back);
    }
    const both = (one: JsonObject, other: JsonObject) =>
      at(
        {
          List: listOf(),
          Texts: bound("texts", one),
          Numbers: bound("numbers", other),
          Both: object({ t: { $ref: "texts" }, n: { $ref: "numbers" } }),
        },
        "#/components/schemas/Both",
      );
    p(`bound in two ways, ${place}`, both(limited, integer), both(text, integer), there, back);
    p(
      `bound in two ways and written out, ${place}`,
      both(text, integer),
      at({ Both: object({ t: plain(text), n: plain(integer) }) }, "#/components/schemas/Both"),
      "none",
      "none",
    );
    const nested = (outer: JsonObject) =>
      at(
        { List: listOf(), Texts: bound("texts", integer), Outer: bound("outer", outer, "texts") },
        "outer",
      );
    p(`the outermost counts, ${place}`, nested(limited), nested(text), there, back);
    p(`the outermost counts, written out, ${place}`, nested(text), written(text), "none", "none");
    const tree = (more: JsonObject) =>
      at(
        {
          Tree: {
            $id: "tree",
            $dynamicAnchor: "node",
            ...object({ children: { type: "array", items: { $dynamicRef: "#node" } } }),
          },
          Strict: { $id: "strict", $dynamicAnchor: "node", $ref: "tree", ...more },
        },
        "strict",
      );
    p(
      `a tree that grows, ${place}`,
      tree({ maxProperties: 1 }),
      tree({ maxProperties: 2 }),
      there,
      back,
    );
    const item = {
      Anchored: {
        $id: "a",
        ...object({ x: { $ref: "#own" } }),
        $defs: { own: { $anchor: "own", ...text } },
      },
    };
    p(
      `anchors and pointers of a resource, ${place}`,
      at({ ...item, Other: { $id: "b", $defs: { own: { $anchor: "own", ...integer } } } }, "a"),
      at({ A: { $id: "a", ...object({ x: { $ref: "#/$defs/own" } }), $defs: { own: text } } }, "a"),
      "none",
      "none",
    );
  }
}

export const furtherSchemas = pairs;
