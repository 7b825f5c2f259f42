import type { ServedOperation } from "@security-platform/spec";
import { tokenFormBytes, type ServerLimits } from "../../foundation/config.ts";
import { resolved } from "../../validation/schema-validator.ts";
import { formMediaType } from "../validate/form.ts";

/** Maximum size of the body of an operation; for a form with files, of a file. */
export function largestBody(operation: ServedOperation, limits: ServerLimits): number {
  const accepted = Object.keys(operation.requestBody?.content ?? {});
  if (accepted.includes(formMediaType)) return limits.uploadBytes;
  return accepted.includes("application/x-www-form-urlencoded")
    ? Math.min(tokenFormBytes, limits.bodyBytes)
    : Math.max(ownLimit(operation, "x-max-bytes"), limits.bodyBytes);
}

/** The limit that the document sets for a JSON body instead of the usual one; 0 if there is none. */
export function ownLimit(
  { requestBody }: ServedOperation,
  name: "x-max-bytes" | "x-max-values",
): number {
  const schema = requestBody?.content["application/json"];
  return Number(schema === undefined ? 0 : (resolved(schema)[name] ?? 0));
}
