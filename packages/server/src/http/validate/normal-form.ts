import type { Schema } from "../../validation/schema-validator.ts";

const tenantId = /^([\da-f]{32})(-[\da-f]{2})?$/i;

/** The one spelling of a value whose schema accepts several (`x-normal-form`); other values as they are. */
export function inNormalForm(schema: Schema, value: unknown): unknown {
  if (schema["x-normal-form"] !== "tenant-id" || typeof value !== "string") return value;
  return tenantId.exec(value)?.[1]?.toLowerCase() ?? value;
}
