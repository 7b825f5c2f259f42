import { canonicalInstant } from "@security-platform/fql";
import type { Schema } from "./resolved.ts";

const tenantId = /^([\da-f]{32})(-[\da-f]{2})?$/i;

export const isTenantId = (text: string): boolean => tenantId.test(text);

/** Returns the normal form of a value; undefined for an invalid one. */
type Normalize = (value: unknown) => unknown;

const ofText =
  (normalize: (text: string) => string | null | undefined): Normalize =>
  (value) =>
    typeof value === "string" ? (normalize(value) ?? undefined) : undefined;

const readInstant = ofText(canonicalInstant);

const declared: Readonly<Record<string, Normalize>> = {
  "tenant-id": ofText((text) => tenantId.exec(text)?.[1]?.toLowerCase()),
  // Texts and numbers, in their order.
  set: (value) =>
    Array.isArray(value) && value.length > 1 && value.every((item) => typeof item !== "object")
      ? [...new Set(value)]
      : undefined,
};

const normalizerOf = (schema: Schema): Normalize | undefined =>
  schema["format"] === "date-time" ? readInstant : declared[String(schema["x-normal-form"])];

/** Whether the schema accepts several forms of one value. */
export const hasNormalForm = (schema: Schema): boolean => normalizerOf(schema) !== undefined;

/**
 * The normal form of a value whose schema accepts several: an instant, a tenant id or a set (`x-normal-form`). Returns
 * other values unchanged, for validation to refuse.
 */
export const inNormalForm = (schema: Schema, value: unknown): unknown =>
  normalizerOf(schema)?.(value) ?? value;
