import type { OperationId } from "@security-platform/spec";

/** What the document says of an operation, as far as a call needs it; see scripts/generate.ts. */
export interface Operation {
  readonly id: OperationId;
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  /** The property of the client that holds the collection's methods. */
  readonly collection: string;
  /** The readable method's name; null while it has none. */
  readonly name: string | null;
  /** False for the token operations, which take the client's credentials instead. */
  readonly token: boolean;
  /** Nothing changes on the server, so the call can be repeated. */
  readonly readOnly: boolean;
  /** Names of the header parameters. */
  readonly headers: readonly string[];
  /** Media type of the request body. */
  readonly bodyType: string | null;
  readonly successStatus: number;
  readonly answer: AnswerKind;
  readonly paging: "none" | "offset" | "after";
  /** The parameter that takes `page.after`. */
  readonly cursorParameter: string | null;
  /** Where filters and sort orders go, by parameter and by member of the body. */
  readonly fql: { readonly query: FqlUses; readonly body: FqlUses };
}

/** `file`: anything but JSON. `none`: no body. */
export type AnswerKind = "list" | "object" | "envelope" | "file" | "none";

export type FqlUses = Readonly<Record<string, FqlUse>>;

export interface FqlUse {
  /** `field`: the name of a field alone. */
  readonly use: "filter" | "sort" | "field";
  /** Whose fields; null where they follow from the request. */
  readonly resource: string | null;
}
