import { canonicalInstant } from "@security-platform/fql";
import type { Schema } from "./resolved.ts";

type Read = (text: string) => string | null | undefined;

const tenantId = /^([\da-f]{32})(-[\da-f]{2})?$/i;

export const isTenantId = (text: string): boolean => tenantId.test(text);

/** Read the texts of a schema that accepts several for one value. No text: it is invalid. */
const readTenantId: Read = (text) => tenantId.exec(text)?.[1]?.toLowerCase();

const readerOf = (schema: Schema): Read | undefined => {
  if (schema["x-normal-form"] === "tenant-id") return readTenantId;
  return schema["format"] === "date-time" ? canonicalInstant : undefined;
};

/** Whether the schema accepts several texts for one value. */
export const hasNormalForm = (schema: Schema): boolean => readerOf(schema) !== undefined;

/**
 * The normal form of a value whose schema accepts several texts: a tenant id (`x-normal-form`) and an instant. Returns
 * other values unchanged, for validation to refuse.
 */
export function inNormalForm(schema: Schema, value: unknown): unknown {
  return typeof value === "string" ? (readerOf(schema)?.(value) ?? value) : value;
}
