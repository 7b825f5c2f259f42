import { expect, test } from "vitest";
import type { OpenApiDocument } from "../document.ts";
import { resolve } from "./references.ts";

const document = {
  components: { schemas: { Format: { type: "string", enum: ["yaml", "json"] } } },
} as unknown as OpenApiDocument;

test("what stands beside a reference is kept", () => {
  const beside = { $ref: "#/components/schemas/Format", default: "yaml" };
  expect(resolve(document, beside)).toEqual({
    type: "string",
    enum: ["yaml", "json"],
    default: "yaml",
  });
  expect(resolve(document, { $ref: "#/components/schemas/Format" })).toBe(
    document.components.schemas["Format"],
  );
});

test("a reference that leads nowhere is an error", () => {
  expect(() => resolve(document, { $ref: "#/components/schemas/None" })).toThrow("leads nowhere");
});
