import type { JsonSchema } from "../document.ts";

/** A value that breaks a keyword of a schema. */
export interface Violation {
  readonly keyword: string;
  /** JSON pointer to the value. */
  readonly instancePath: string;
  /** The way from the checked schema to the keyword; starts anew behind each reference. */
  readonly schemaPath: string;
  /** The keyword's own value. */
  readonly schema: unknown;
  /** The schema that has the keyword. */
  readonly parentSchema: JsonSchema;
  readonly data: unknown;
  /** The member that is missing or not allowed. */
  readonly member?: string;
}
