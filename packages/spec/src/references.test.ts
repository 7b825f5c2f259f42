import { expect, test } from "vitest";
import type { OpenApiDocument } from "./document.ts";
import { resolve } from "./references.ts";

const document = {
  components: { schemas: { Format: { type: "string", enum: ["yaml", "json"] } } },
} as unknown as OpenApiDocument;

test("siblings of a reference are kept", () => {
  const reference = { $ref: "#/components/schemas/Format", default: "yaml" };
  expect(resolve(document, reference)).toEqual({
    type: "string",
    enum: ["yaml", "json"],
    default: "yaml",
  });
  expect(resolve(document, { $ref: "#/components/schemas/Format" })).toBe(
    document.components.schemas["Format"],
  );
});

test("a reference without a target is an error", () => {
  expect(() => resolve(document, { $ref: "#/components/schemas/None" })).toThrow("has no target");
});
