import { expect, test } from "vitest";
import { completeDocument, operations, servedDocument } from "../index.ts";
import { servedDocument as makeServed } from "./served-document.ts";

test("contains every operation and every schema", () => {
  const served = servedDocument();
  expect(served.operations.map(({ id }) => id)).toEqual(operations().map(({ id }) => id));
  expect(Object.keys(served.schemas)).toEqual(Object.keys(completeDocument().components.schemas));
  expect(served.operations.find(({ id }) => id === "DownloadExportFile")).toMatchObject({
    answer: "file",
    answersAs: ["application/octet-stream"],
    ranges: true,
  });
  expect(served.operations.find(({ id }) => id === "indicator.create.v1")).toMatchObject({
    ranges: false,
    addsRecords: true,
  });
});

test("texts are removed, everything for validation is kept", () => {
  const schema = {
    description: "A thing.",
    title: "a thing",
    required: ["description"],
    properties: {
      description: { type: "string", description: "What it is.", enum: ["description"] },
      example: { items: { example: 1, const: { example: 1 } } },
    },
    oneOf: [{ description: "one", type: "object" }],
    "x-aliases": { Text: "description" },
    "x-fql": { use: "filter" },
  };
  const components = { schemas: { Thing: schema } };
  const { schemas } = makeServed({ components } as never, []);
  expect(schemas["Thing"]).toEqual({
    title: "a thing",
    required: ["description"],
    properties: {
      description: { type: "string", enum: ["description"] },
      example: { items: { const: { example: 1 } } },
    },
    oneOf: [{ type: "object" }],
    "x-aliases": { Text: "description" },
  });
});
