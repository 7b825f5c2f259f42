import { calledDocument, type JsonSchema } from "@security-platform/spec";

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
  readonly unevaluatedProperties?: boolean | JsonSchema;
  readonly description?: string;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

/** The schema that a reference leads to, with the texts that stand beside the reference. */
export function resolved(schema: JsonSchema | undefined): Schema {
  const { $ref, ...beside } = schema ?? {};
  if (typeof $ref !== "string") return beside;
  const name = $ref.replace("#/components/schemas/", "");
  return { ...resolved(calledDocument().schemas[name]), ...beside };
}

export const typesOf = ({ type }: Schema): readonly string[] =>
  type === undefined ? [] : typeof type === "string" ? [type] : type;

export const hasType = (schema: Schema, ...types: readonly string[]): boolean =>
  typesOf(schema).some((type) => types.includes(type));

/** Whether a flag can have its value: a scalar, not an object or a list. */
export const isScalar = (schema: Schema): boolean =>
  hasType(schema, "string", "integer", "number", "boolean") && !hasType(schema, "object", "array");
