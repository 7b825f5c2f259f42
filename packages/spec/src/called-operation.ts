import type { JsonSchema } from "./document.ts";
import type { Operation, Parameter, Wait } from "./operation.ts";

/** The part of an operation that a caller needs: with texts and examples, without responses. */
export interface CalledOperation extends Pick<
  Operation,
  | "id"
  | "method"
  | "path"
  | "collection"
  | "methodName"
  | "summary"
  | "description"
  | "scope"
  | "answer"
  | "paging"
  | "replacedBy"
> {
  readonly parameters: readonly Pick<
    Parameter,
    "name" | "in" | "required" | "description" | "schema" | "example"
  >[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly mediaType: string;
    readonly schema: JsonSchema;
    readonly example?: unknown;
  };
  /** How to wait for the work of the records that it reads, or whose work it starts. */
  readonly wait?: Pick<Wait, "methodName" | "state" | "done"> & {
    /** Id of the operation that reads the records. */
    readonly readBy: string;
  };
}

/** The part of the document that callers by name need. */
export interface CalledDocument {
  readonly operations: readonly CalledOperation[];
  /** The operations of the control plane for tests; their `collection` is `dev`. */
  readonly control: readonly CalledOperation[];
  /** The schemas of parameters and request bodies, without examples. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** The names of one operation. */
export interface MethodEntry extends Pick<
  Operation,
  "id" | "collection" | "tag" | "methodName" | "summary"
> {
  readonly deprecated?: true;
}
