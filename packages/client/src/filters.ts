import { fql, type FilterBuilder } from "@security-platform/fql";
import { resources } from "./generated/resources.ts";
import type { FieldsOf, Resource } from "./types.ts";

/**
 * Builders of filters, by resource: `filters.indicators.where("type").equals("domain")`. A field, an
 * operator or a value that the resource does not have fails to compile.
 */
export const filters = Object.fromEntries(resources.map((name) => [name, fql()])) as unknown as {
  readonly [Of in Resource]: FilterBuilder<FieldsOf<Of>>;
};
