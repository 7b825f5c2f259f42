import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { document, importSchemas, type JsonSchema } from "../index.ts";

const { HostMember, IndicatorInput } = document().components.schemas;
const propertiesOf = (schema: JsonSchema | undefined) =>
  schema?.["properties"] as Readonly<Record<string, JsonSchema>>;

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: "openapi.json", components: document().components });

test.each(Object.entries(importSchemas()))(
  "the schema of %s is unique, and describes each member",
  (_kind, schema) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"openapi.json#/');
    expect(() => ajv.compile(JSON.parse(text) as object)).not.toThrow();
    for (const [name, member] of Object.entries(propertiesOf(schema))) {
      expect(member["description"] ?? member["$ref"], name).toBeTruthy();
    }
  },
);

test("hosts and indicators accept every member of the document", () => {
  const { hosts, indicators } = importSchemas();
  expect(new Set(Object.keys(propertiesOf(hosts)))).toEqual(
    new Set(Object.keys(propertiesOf(HostMember))),
  );
  expect(Object.keys(propertiesOf(indicators))).toEqual(
    expect.arrayContaining(Object.keys(propertiesOf(IndicatorInput))),
  );
});
