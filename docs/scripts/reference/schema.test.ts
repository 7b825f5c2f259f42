import { completeDocument } from "@security-platform/spec";
import { describe, expect, test } from "vitest";
import { memberList, memberTree } from "./members.ts";
import { ruleTexts, typeText, type Components } from "./schema.ts";

const components: Components = {
  Id: { description: "An id.", type: "string", pattern: "^[0-9]+$", title: "digits" },
  Tree: {
    type: "object",
    required: ["id"],
    properties: {
      id: { $ref: "#/components/schemas/Id" },
      children: { type: "array", maxItems: 3, items: { $ref: "#/components/schemas/Tree" } },
      labels: { type: "object", additionalProperties: { type: "integer", minimum: 0 } },
    },
  },
  Value: {
    anyOf: [{ type: "string" }, { type: "array", items: { $ref: "#/components/schemas/Value" } }],
  },
  OneOrMore: {
    oneOf: [
      { $ref: "#/components/schemas/Tree" },
      { type: "array", items: { $ref: "#/components/schemas/Tree" } },
    ],
  },
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe("typeText", () => {
  test.each([
    [{ type: "string" }, "string"],
    [{ type: ["string", "null"] }, "string or null"],
    [ref("Id"), "string"],
    [ref("Tree"), "Tree"],
    [{ type: "array", items: ref("Tree") }, "list of Tree"],
    [ref("OneOrMore"), "Tree or list of Tree"],
    [ref("Value"), "string or list of Value"],
    [{ type: "object", additionalProperties: { type: "integer" } }, "object of integer"],
    [{ const: "x" }, "string"],
    [{}, "any"],
  ])("reads %j as %s", (schema, text) => {
    expect(typeText(schema, components)).toBe(text);
  });

  test("rejects a reference without a target", () => {
    expect(() => typeText(ref("None"), components)).toThrow(/None leads nowhere/);
  });
});

describe("ruleTexts", () => {
  test.each([
    [{ type: "integer", minimum: 1, maximum: 2_000, default: 100 }, "1 to 2,000; default `100`"],
    [{ type: "integer", minimum: 0, maximum: 9 }, "0 to 9"],
    [{ type: "integer", minimum: 0 }, ""],
    [{ type: "integer", minimum: -1 }, "at least -1"],
    [{ type: "string", minLength: 3, maxLength: 3 }, "exactly 3 characters"],
    [{ type: "string", maxLength: 9 }, "up to 9 characters"],
    [{ type: "string", enum: ["a", ""] }, 'one of `a`, `""`'],
    [{ type: "string", pattern: "^a$" }, "matches `^a$`"],
    [ref("Id"), "digits"],
    [{ type: "string", default: "" }, 'default `""`'],
    [
      { type: "array", uniqueItems: true, items: { enum: [1, 2] } },
      "unique items; each one of `1`, `2`",
    ],
    [{ type: "string", format: "date-time", readOnly: true }, "RFC 3339 timestamp; read-only"],
  ])("describes %j: %s", (schema, text) => {
    expect(ruleTexts(schema, components).join("; ")).toBe(text);
  });
});

const namesIn = (html: string): readonly string[] =>
  [...html.matchAll(/<code class="member-name">([^<]*)</g)].map(([, name = ""]) => name);

describe("a member", () => {
  const one = (schema: object): string =>
    memberList([{ name: "it", required: true, schema: { ...schema } }], components, "request");

  test("is described by its purpose and its rules", () => {
    expect(one(ref("Id"))).toContain('<p>An id.</p><p class="member-rules">Digits.</p>');
    expect(one({ ...ref("Id"), description: "Of `<a>`." })).toContain(
      "<p>Of <code>&lt;a&gt;</code>.</p>",
    );
  });

  test("is marked as required in requests, and as optional in responses", () => {
    const request = memberTree(ref("Tree"), components, "request", "body");
    expect(request.match(/>required</g)).toHaveLength(1);
    const response = memberTree(ref("Tree"), components, "response", "body");
    expect(response.match(/>may be absent</g)).toHaveLength(2);
  });

  test("unfolds its own members, but not those of a schema that contains it", () => {
    const tree = memberTree(ref("OneOrMore"), components, "request", "body");
    expect(namesIn(tree)).toEqual(["id", "children", "labels"]);
    const list = { type: "array", items: ref("Tree") };
    expect(memberTree(list, components, "request", "body")).toBe(tree);
    expect(memberTree({ type: "string" }, components, "request", "body")).toBe("");
    const outer = { type: "object", properties: { tree: ref("Tree") } };
    expect(memberTree(outer, components, "request", "body")).toMatch(
      /<details open><summary>Tree /,
    );
  });

  test("leads to the page of a schema that contains itself", () => {
    const { schemas } = completeDocument().components;
    const [recursive = ""] = Object.keys(schemas).filter(
      (name) =>
        schemas[name]?.["type"] === "object" &&
        JSON.stringify(schemas[name]).includes(`schemas/${name}"`),
    );
    expect(memberTree(ref(recursive), schemas, "request", "body")).toContain(
      `see <a href="/docs/reference/schemas/${recursive}.html">${recursive}</a>`,
    );
  });

  test("unfolds each alternative schema", () => {
    const operator = { type: "object", properties: { by: { oneOf: [ref("Tree"), ref("Leaf")] } } };
    const leaf = { type: "object", description: "A leaf.", properties: { colour: {} } };
    const tree = memberTree(operator, { ...components, Leaf: leaf }, "request", "body");
    expect(tree.match(/<summary>As (?:Tree|Leaf) /g)).toHaveLength(2);
    expect(namesIn(tree)).toEqual(["by", "id", "children", "labels", "colour"]);
  });
});
