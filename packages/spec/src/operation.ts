import type { JsonSchema, MediaType } from "./document.ts";
import type { FqlUse } from "./fql-table.ts";
import type { OperationId } from "./generated/operation-ids.ts";

export type Method = "get" | "put" | "post" | "delete" | "patch" | "head";

/** One operation of the document, with everything resolved except the schemas of bodies. */
export interface Operation {
  readonly id: OperationId;
  /** `platform`: the API; `companion`: the additional operations that clients need; `control`: those of the control plane. */
  readonly document: "platform" | "companion" | "control";
  readonly method: Method;
  readonly path: string;
  /** Folder of the collection: `ioc`, `user-management`. */
  readonly collection: string;
  /** Name of the collection: `IOC`, `User Management`. */
  readonly tag: string;
  /** Readable name for clients and the command line, unique in the collection: `listIndicators`. */
  readonly methodName: string;
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  /** Deprecation time in Unix seconds; only with `deprecated`. */
  readonly deprecatedAt?: number;
  /** Operation id of the replacement of a deprecated operation. */
  readonly replacedBy?: string;
  /** Null if no token is needed. */
  readonly scope: string | null;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: RequestBodyDescription;
  readonly responses: readonly ResponseDescription[];
  readonly successStatus: number;
  /**
   * `offset`: pages are counted from the start; `after`: paging by cursor (also by `offset` if
   * there is such a parameter).
   */
  readonly paging: "none" | "offset" | "after";
  /** The parameter for the cursor of the previous page; only with paging `after`. */
  readonly cursorParameter?: string;
  /** How to wait for work that goes on after a response; on the operation that reads its state. */
  readonly wait?: Wait;
  /** The content of a success; `none`: headers without a body. */
  readonly answer: "records" | "ids" | "object" | "envelope" | "file" | "none";
}

/** The states of work that goes on after the response of the operation that starts it. */
export interface Wait {
  /** Readable name for clients, unique in the collection: `waitForExport`. */
  readonly methodName: string;
  /** The member of the record that has the state. In every state that is not listed, the work goes on. */
  readonly state: string;
  readonly done: readonly string[];
  /** The states from which the work does not get done. */
  readonly failed: readonly string[];
  /** The member of the record that says why it failed. */
  readonly reason?: string;
  /** Operation ids. */
  readonly startedBy: readonly OperationId[];
}

export interface Parameter {
  readonly name: string;
  readonly in: "query" | "path" | "header";
  readonly required: boolean;
  readonly description: string;
  /** The schema. It is no reference itself, but the items of a list may be. */
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly fql?: FqlUse;
}

export interface RequestBodyDescription {
  readonly required: boolean;
  readonly content: Readonly<Record<string, MediaType>>;
  /**
   * Members that contain FQL, by dotted path (`bulk_update.filter`); the empty path is the whole
   * body.
   */
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

/**
 * The part of an operation that a server needs: without texts, examples and responses other than the
 * success.
 */
export interface ServedOperation extends Pick<
  Operation,
  | "id"
  | "document"
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
  /** Whether range requests are supported: the operation documents 206. */
  readonly ranges: boolean;
  /** Whether a limit of storage can refuse the operation: it documents 507. */
  readonly addsRecords?: true;
}

/** The part of the document that a server needs. */
export interface ServedDocument {
  readonly operations: readonly ServedOperation[];
  /** The document's schemas without descriptions and examples. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}
