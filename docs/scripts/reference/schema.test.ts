import { describe, expect, test } from "vitest";
import { describe as describeMember, memberTables } from "./members.ts";
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
    expect(() => typeText(ref("None"), components)).toThrow(/unknown schema None/);
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

describe("a member", () => {
  test("is described by its purpose and its rules", () => {
    expect(describeMember(ref("Id"), components)).toBe("An id. _Digits._");
    expect(describeMember({ ...ref("Id"), description: "Whose." }, components)).toBe(
      "Whose. _Digits._",
    );
  });

  test("appears in the table once, at any depth", () => {
    const [lines = "", legend] = memberTables(ref("OneOrMore"), components, "required");
    const names = lines
      .split("\n")
      .slice(2)
      .map((line) => line.split("<br>")[0]);
    expect(names).toEqual(["| `id` *", "| `children`", "| `labels`"]);
    expect(legend).toBe(String.raw`\* required`);
    const list = { type: "array", items: ref("Tree") };
    expect(memberTables(list, components, "required")).toEqual([lines, legend]);
    expect(memberTables({ type: "string" }, components, "required")).toEqual(["", ""]);
  });

  test("has a table for each alternative schema", () => {
    const operator = { type: "object", properties: { by: { oneOf: [ref("Tree"), ref("Leaf")] } } };
    const leaf = { type: "object", description: "A leaf.", properties: { colour: {} } };
    const blocks = memberTables(operator, { ...components, Leaf: leaf }, "required");
    expect(blocks.filter((block) => block.startsWith("#"))).toEqual(["### Tree", "### Leaf"]);
    expect(blocks[0]).toContain("Tree or Leaf");
    expect(blocks[0]).not.toContain("colour");
    expect(blocks.join("\n")).toContain("A leaf.");
    expect(blocks.join("\n")).toContain("| `colour`<br>any |");
  });
});
