import { expect, test } from "vitest";
import { check, onePath } from "../testing/check.ts";
import { closedRequests } from "./closed-requests.ts";

test("objects of a request are closed, at any depth; those of responses are not checked", () => {
  const reports = check(closedRequests, {
    "openapi.yaml": onePath,
    "ioc/paths/things_v1.yaml": `post:
  requestBody:
    content:
      application/json:
        schema: { $ref: ../schemas/Request.yaml }
  responses:
    "200":
      content: { application/json: { schema: { $ref: ../schemas/Answer.yaml } } }
`,
    "ioc/schemas/Request.yaml":
      "additionalProperties: false\nproperties:\n  part: { $ref: Part.yaml }\n  again: { $ref: Request.yaml }\n  map: { $ref: Map.yaml }\n",
    "ioc/schemas/Map.yaml":
      "type: object\nproperties: {}\nadditionalProperties: { type: string, maxLength: 9 }\n",
    "ioc/schemas/Part.yaml": "type: object\nproperties: {}\n",
    "ioc/schemas/Answer.yaml": "type: object\nproperties: {}\n",
  });
  expect(reports).toMatchObject([{ file: "ioc/schemas/Part.yaml", line: 1 }]);
});
