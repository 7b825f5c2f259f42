import { calledDocument, type JsonSchema } from "@security-platform/spec";
import { SchemaSet } from "@security-platform/spec/schemas";

/** A schema of the document, with the keywords that commands read. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly description?: string;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

/** The schemas of the document that describes the calls. */
export const schemas = new SchemaSet(() => calledDocument().schemas);

/** The schema that a reference leads to, with the texts that stand beside the reference. */
export const resolved = (schema: JsonSchema = {}): Schema => schemas.resolved(schema);

/** The types that a value can have; those of its alternatives if it has some. */
export function typesOf({ type, oneOf, anyOf }: Schema): readonly string[] {
  if (typeof type === "string") return [type];
  return type ?? (oneOf ?? anyOf ?? []).flatMap((each) => typesOf(resolved(each)));
}

export const hasType = (schema: Schema, ...types: readonly string[]): boolean =>
  typesOf(schema).some((type) => types.includes(type));

/** Whether a flag can have its value: a scalar, not an object or a list. */
export const isScalar = (schema: Schema): boolean =>
  hasType(schema, "string", "integer", "number", "boolean") && !hasType(schema, "object", "array");
