import { expect, test } from "vitest";
import type { OpenApiDocument } from "../../document.ts";
import type { Operation } from "../../operation.ts";
import { departuresOf } from "./departures.ts";
import type { Reference, ReferenceMember } from "./reference.ts";

const member = (name: string, type: string, required = false, limits = {}): ReferenceMember => ({
  name,
  type,
  required,
  limits,
});

const reference: Reference = {
  records: new Map([["Thing", ["id", "colour", "size", "parts", "weight"]]]),
  operations: [
    {
      id: "getThings",
      statuses: [200, 400],
      answer: "list<ApiThing>",
      parameters: [
        { place: "query", ...member("limit", "integer", false, { maximum: "500" }) },
        { place: "query", ...member("ids", "list<string>", true) },
        { place: "query", ...member("old", "string") },
      ],
    },
  ],
  models: new Map([
    [
      "ApiThing",
      [
        member("id", "string", true),
        member("colour", "string", false, { enum: "red,blue" }),
        member("size", "integer"),
        member("parts", "list<ApiThing>"),
        member("lost", "string"),
      ],
    ],
  ]),
};

const document = {
  components: {
    schemas: {
      Thing: {
        type: "object",
        required: ["colour"],
        properties: {
          id: { type: "string" },
          colour: { type: ["string", "null"], enum: ["red", "green", null] },
          size: { type: "string" },
          parts: { type: "array", items: { $ref: "#/components/schemas/Thing" } },
          extra: { type: "boolean" },
        },
      },
    },
  },
} as unknown as OpenApiDocument;

const operation = {
  id: "getThings",
  successStatus: 200,
  answer: "records",
  parameters: [
    { name: "limit", in: "query", required: false, schema: { type: "integer", maximum: 200 } },
    { name: "ids", in: "query", required: false, schema: { type: "string" } },
    { name: "new", in: "query", required: false, schema: { type: "string" } },
  ],
  responses: [
    {
      status: 200,
      content: {
        "application/json": {
          schema: { type: "array", items: { $ref: "#/components/schemas/Thing" } },
        },
      },
    },
    { status: 401, content: {} },
  ],
} as unknown as Operation;

test("every kind of departure is found once", () => {
  const departures = departuresOf(document, [operation], reference);
  expect(departures.map(({ place, what }) => `${place} ${what}`).toSorted()).toEqual(
    [
      "getThings status 401 added",
      "getThings status 400 missing",
      "getThings query limit maximum 200, not 500",
      "getThings query ids optional",
      "getThings query ids is string, not list<string>",
      "getThings query new added",
      "getThings query old missing",
      "schemas/Thing member id optional",
      "schemas/Thing member colour required",
      "schemas/Thing member colour value green added",
      "schemas/Thing member colour value blue missing",
      "schemas/Thing member size is string, not integer",
      "schemas/Thing member extra added",
      "schemas/Thing member lost missing",
      "schemas/Thing field extra added",
      "schemas/Thing field weight missing",
    ].toSorted(),
  );
});
