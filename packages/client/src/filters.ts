import { fql, type FilterBuilder } from "@security-platform/fql";
import { resources } from "./generated/resources.ts";
import type { FieldsOf, Resource } from "./types.ts";

/**
 * Filter builders by resource: `filters.indicators.where("type").equals("domain")`. An unknown
 * field, operator or value does not compile.
 */
export const filters = Object.fromEntries(resources.map((name) => [name, fql()])) as unknown as {
  readonly [Of in Resource]: FilterBuilder<FieldsOf<Of>>;
};
