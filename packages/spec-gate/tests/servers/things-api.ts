import type { Json, JsonObject } from "../../src/json.ts";

/** The options of a things document; its versions differ in them. */
export interface Things {
  /** Members that clients send, and which of them they must send. */
  readonly sent: JsonObject;
  readonly required?: readonly string[];
  /** Members that clients read. */
  readonly read: JsonObject;
  readonly example: Json;
}

/** A document with one operation to create things and one to list them. */
export const thingsApi = ({ sent, required = [], read, example }: Things): JsonObject => ({
  openapi: "3.1.0",
  info: { title: "Things", version: "1.0.0" },
  paths: {
    "/things": {
      get: {
        operationId: "listThings",
        responses: {
          200: {
            description: "All things.",
            content: {
              "application/json": {
                schema: { type: "array", items: { $ref: "#/components/schemas/Thing" } },
              },
            },
          },
        },
      },
      post: {
        operationId: "createThing",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: { type: "object", required, additionalProperties: false, properties: sent },
              examples: { usual: { value: example } },
            },
          },
        },
        responses: {
          201: {
            description: "The new thing.",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } },
          },
          400: { description: "The body is not valid." },
        },
      },
    },
  },
  components: {
    schemas: { Thing: { type: "object", required: Object.keys(read), properties: read } },
  },
});
