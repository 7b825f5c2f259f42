import type { Schema } from "../../validation/schema-validator.ts";

const tenantId = /^([\da-f]{32})(-[\da-f]{2})?$/i;

export const isTenantId = (text: string): boolean => tenantId.test(text);

/**
 * The normal form of a value whose schema accepts several forms (`x-normal-form`). Returns other values
 * unchanged.
 */
export function inNormalForm(schema: Schema, value: unknown): unknown {
  if (schema["x-normal-form"] !== "tenant-id" || typeof value !== "string") return value;
  return tenantId.exec(value)?.[1]?.toLowerCase() ?? value;
}
