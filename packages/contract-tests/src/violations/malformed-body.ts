import type { Operation } from "../contract.ts";
import {
  formMediaType,
  mediaTypeOf,
  multipartMediaType,
  type RequestParts,
} from "../requests/request.ts";
import type { RequestViolation } from "./violation.ts";

/** Bodies that cannot be parsed. */
export function malformedBodies(operation: Operation): readonly RequestViolation[] {
  const mediaType = mediaTypeOf(operation);
  if (mediaType === undefined) return [];
  const raw = (name: string, text: string, named: RequestViolation["named"]): RequestViolation => ({
    name,
    law: "shape",
    apply: ({ body: _body, ...parts }: RequestParts) => ({
      ...parts,
      rawBody: { text, mediaType },
    }),
    named,
  });
  if (mediaType === multipartMediaType) return [];
  if (mediaType === formMediaType) {
    return [raw("body with a field twice", "scope=a&scope=b", [["body.scope"]])];
  }
  return [
    raw("body that breaks off", '{"name": ', [["body"], ["offset 8", "offset 9"]]),
    raw("body with a trailing comma", '{"name": 1,}', [["body"], ["offset 10", "offset 11"]]),
    raw("body that is empty", "", [["body"]]),
  ];
}
