import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { compatQuirks, document, operationById } from "../index.ts";
import { envelopeDocument, schemaName } from "./envelope-document.ts";
import { operationsIndex } from "./operations-index.ts";

const mediaTypes = ["application/json", "application/vnd.security-platform.envelope+json"];
const before = JSON.stringify(document());
const own = operationsIndex(document(), "platform");
const derived = envelopeDocument(document(), own);
const index = operationsIndex(derived);

const inJson = new Set(
  own.filter(({ answer }) => answer !== "file" && answer !== "none").map(({ id }) => id),
);

test("every JSON success is an Envelope with a schema of its own, and nothing else changes", () => {
  for (const [position, operation] of index.entries()) {
    const original = own[position];
    expect(operation.id).toBe(original?.id);
    if (!inJson.has(operation.id)) {
      expect(operation).toEqual(original);
      continue;
    }
    const { successStatus } = compatQuirks(operation);
    const [success, ...others] = operation.responses;
    expect(Object.keys(success?.content ?? {})).toEqual(mediaTypes);
    expect(success?.status).toBe(successStatus ?? original?.successStatus);
    const errors = others.filter(({ status }) => status >= 400);
    for (const [type, { schema }] of Object.entries(success?.content ?? {})) {
      const isOther = type === mediaTypes[0] && compatQuirks(operation).plain !== undefined;
      const name = `${schemaName(operation.id)}${isOther ? "Plain" : ""}`;
      expect(schema).toEqual({ $ref: `#/components/schemas/${name}` });
    }
    expect(errors).toEqual(original?.responses.slice(1));
    expect(operation.parameters).toEqual(original?.parameters);
    const isInJson = "application/json" in (operation.requestBody?.content ?? {});
    const added = ["X-Cs-Region", "X-Cs-Traceid", ...(isInJson ? ["X-Ignored-Members"] : [])];
    const originalHeaders = original?.responses[0]?.headers ?? {};
    expect(success?.headers).toMatchObject(originalHeaders);
    expect(new Set(Object.keys(success?.headers ?? {}))).toEqual(
      new Set([...Object.keys(originalHeaders), ...added]),
    );
  }
});

test("its examples match its schemas: a list remains a list, an object becomes a list with one entry, an Envelope does not change", () => {
  const ajv = new Ajv2020({ strict: false });
  (addFormats as unknown as (instance: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: "derived", components: derived.components });
  for (const { id, responses } of index.filter((operation) => inJson.has(operation.id))) {
    const operation = operationById(id);
    const { object, plain } = compatQuirks(operation);
    const isList = operation.answer !== "envelope" && object === undefined;
    const validate = ajv.getSchema(`derived#/components/schemas/${schemaName(id)}`);
    const { content = {} } = responses[0] ?? {};
    const examples = Object.values(content[mediaTypes[1] ?? ""]?.examples ?? {});
    expect(examples.length, id).toBeGreaterThan(0);
    if (plain !== undefined) {
      const ofPlain = ajv.getSchema(`derived#/components/schemas/${schemaName(id)}Plain`);
      for (const { value } of Object.values(content["application/json"]?.examples ?? {})) {
        expect([id, ofPlain?.(value), ofPlain?.errors]).toEqual([id, true, null]);
      }
    }
    for (const { value } of examples) {
      expect([id, validate?.(value), validate?.errors]).toEqual([id, true, null]);
      if (object === "top-level") continue;
      expect(value).toMatchObject({
        meta: { powered_by: "security-platform" },
        resources: isList ? expect.any(Array) : expect.anything(),
        errors: [],
      });
    }
  }
});

test("a status of existing clients is documented beside the other one", () => {
  const { responses } =
    index.find(({ id }) => id === "ss-ioa-exclusions.create.v2") ?? expect.fail("is missing");
  const successes = responses.filter(({ status }) => status < 300);
  expect(successes.map(({ status, content }) => [status, Object.keys(content)])).toEqual([
    [200, mediaTypes],
    [201, mediaTypes.slice(1)],
  ]);
});

test("no unused example remains", () => {
  const text = JSON.stringify(derived);
  for (const name of Object.keys(derived.components["examples"] ?? {})) {
    expect(text).toContain(`"#/components/examples/${name}"`);
  }
});

test("the original is not modified", () => {
  expect(JSON.stringify(document()) === before).toBe(true);
});

test("plain JSON is the body that the models of clients expect, if it is not an Envelope", () => {
  const plain = (id: string): unknown =>
    Object.values(
      index.find((operation) => operation.id === id)?.responses[0]?.content["application/json"]
        ?.examples ?? {},
    )[0]?.value;
  expect(plain("entities.templates.delete.v1")).toBe("");
  expect(plain("GrantUserRoleIds")).toMatchObject({ resources: [expect.any(String)], errors: [] });
});

test("objects that clients read at the top level have no Envelope, others are `resources` itself", () => {
  const example = (id: string): unknown =>
    Object.values(
      index.find((operation) => operation.id === id)?.responses[0]?.content["application/json"]
        ?.examples ?? {},
    )[0]?.value;
  expect(example("post_graphql")).toMatchObject({ data: expect.anything() });
  expect(example("ss-ioa-exclusions.new-rules.v2")).not.toHaveProperty("resources");
  expect(example("CreateRegistryEntities")).toMatchObject({ resources: { id: expect.anything() } });
});

test("an operation without records has a complete schema of its own, without allOf", () => {
  const { schemas } = derived.components;
  const { description, properties } = schemas["Envelope"] ?? {};
  const merge = schemas[schemaName("entities.merge.post.v1")];
  const required = ["meta", "resources", "errors"];
  expect(merge).toEqual({ description, type: "object", properties, required });
});
