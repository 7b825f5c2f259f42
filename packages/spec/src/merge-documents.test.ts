import { expect, test } from "vitest";
import type { OpenApiDocument } from "./document.ts";
import { mergeDocuments } from "./merge-documents.ts";

const documentOf = (path: string, name: string, type: string): OpenApiDocument => ({
  openapi: "3.1.0",
  info: { title: path, version: "1.0.0", description: "A document." },
  servers: [],
  tags: [{ name: path, description: "A tag." }],
  paths: { [path]: { get: {} } },
  components: { schemas: { [name]: { type } }, securitySchemes: { oauth2: { path } } },
});

test("the merged document has the operations, tags and components of both", () => {
  const [first, second] = [documentOf("/b", "B", "string"), documentOf("/a", "A", "number")];
  expect(mergeDocuments(first, second)).toEqual({
    ...first,
    tags: [...first.tags, ...second.tags],
    paths: { "/b": { get: {} }, "/a": { get: {} } },
    components: {
      schemas: { A: { type: "number" }, B: { type: "string" } },
      securitySchemes: { oauth2: { path: "/b" } },
    },
  });
});

test("a component that both describe in the same way is included once, another is an error", () => {
  const first = documentOf("/a", "Same", "string");
  const same = mergeDocuments(first, documentOf("/b", "Same", "string"));
  expect(same.components.schemas).toEqual({ Same: { type: "string" } });
  expect(() => mergeDocuments(first, documentOf("/b", "Same", "number"))).toThrow(
    "the documents describe components.schemas.Same differently",
  );
});

test("a path that both contain is an error", () => {
  const first = documentOf("/a", "A", "string");
  expect(() => mergeDocuments(first, documentOf("/a", "B", "string"))).toThrow(
    "both documents have the path /a",
  );
});
