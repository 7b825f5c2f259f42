/** A JSON Schema (2020-12) of the document; references start with `#/components/schemas/`. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

export interface Example {
  readonly summary?: string;
  readonly value: unknown;
}

export interface MediaType {
  readonly schema: JsonSchema;
  readonly examples: Readonly<Record<string, Example>>;
}

/** The bundled document. Only the parts that code reads are typed. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary?: string;
    readonly description: string;
    /** RFC 3339; the default deprecation time of operations. */
    readonly "x-deprecated-at"?: string;
  };
  readonly servers: readonly JsonSchema[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly [kind: string]: Readonly<Record<string, JsonSchema>>;
  };
}
