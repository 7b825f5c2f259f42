import type { JsonSchema, MediaType } from "./document.ts";
import type { FqlUse } from "./fql-table.ts";
import type { OperationId } from "./generated/operation-ids.ts";

export type Method = "get" | "put" | "post" | "delete" | "patch" | "head";

/** One operation of the document, with everything resolved but the schemas of bodies. */
export interface Operation {
  readonly id: OperationId;
  readonly method: Method;
  readonly path: string;
  /** Folder of the collection: `ioc`, `user-management`. */
  readonly collection: string;
  /** Name of the collection: `IOC`, `User Management`. */
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  /** Since when, in Unix seconds; with `deprecated` only. */
  readonly deprecatedAt?: number;
  /** Operation id of what takes the place of a deprecated operation. */
  readonly replacedBy?: string;
  /** Null where no token is needed. */
  readonly scope: string | null;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: RequestBodyDescription;
  readonly responses: readonly ResponseDescription[];
  readonly successStatus: number;
  /** `offset`: pages count from the start; `after`: pages go by cursor (and by `offset` where there is such a parameter besides). */
  readonly paging: "none" | "offset" | "after";
  /** The parameter that takes the cursor of the previous page; with paging `after` only. */
  readonly cursorParameter?: string;
  /** What a success is; `none`: headers without a body. */
  readonly answer: "records" | "ids" | "object" | "envelope" | "file" | "none";
}

export interface Parameter {
  readonly name: string;
  readonly in: "query" | "path" | "header";
  readonly required: boolean;
  readonly description: string;
  /** Never a reference itself; the items of a list may be. */
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly fql?: FqlUse;
}

export interface RequestBodyDescription {
  readonly required: boolean;
  readonly content: Readonly<Record<string, MediaType>>;
  /** Members that take FQL, by dotted path (`bulk_update.filter`); the whole body is the empty path. */
  readonly fql: readonly (FqlUse & { readonly path: string })[];
}

export interface ResponseDescription {
  readonly status: number;
  readonly description: string;
  readonly content: Readonly<Record<string, MediaType>>;
  readonly headers: Readonly<Record<string, HeaderDescription>>;
}

export interface HeaderDescription {
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

/** What a server must know of an operation: no words, no examples, no answers but the success. */
export interface ServedOperation extends Pick<
  Operation,
  | "id"
  | "method"
  | "path"
  | "collection"
  | "deprecatedAt"
  | "replacedBy"
  | "scope"
  | "successStatus"
  | "cursorParameter"
  | "answer"
> {
  readonly parameters: readonly Pick<Parameter, "name" | "in" | "required" | "schema">[];
  readonly requestBody?: {
    readonly required: boolean;
    /** Schemas by media type. */
    readonly content: Readonly<Record<string, JsonSchema>>;
  };
  /** Media types of the success. */
  readonly answersAs: readonly string[];
  /** Whether a part of a file can be asked for: the operation documents 206. */
  readonly ranges: boolean;
}

/** All that a server needs of the document. */
export interface ServedDocument {
  readonly operations: readonly ServedOperation[];
  /** The document's schemas without descriptions and examples. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}
