import type { OperationId } from "@security-platform/spec";

/** The part of an operation's definition that a call needs; see scripts/generate.ts. */
export interface Operation {
  readonly id: OperationId;
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  /** The client's property with the collection's methods. */
  readonly collection: string;
  /** The readable method's name. */
  readonly name: string;
  /** False for the token operations, which use the client's credentials instead. */
  readonly token: boolean;
  /** The operation changes nothing on the server, so it can be repeated. */
  readonly readOnly: boolean;
  /** Names of header parameters. */
  readonly headers: readonly string[];
  /** Media type of the request body. */
  readonly bodyType: string | null;
  readonly successStatus: number;
  readonly answer: AnswerKind;
  /** The media type to request; null: plain JSON. */
  readonly accept: string | null;
  readonly paging: "none" | "offset" | "after";
  /** The parameter for `page.after`. */
  readonly cursorParameter: string | null;
  /** Filters and sort orders by parameter and by member of the body. */
  readonly fql: { readonly query: FqlUses; readonly body: FqlUses };
}

/** `file`: any media type except JSON. `none`: no body. */
export type AnswerKind = "list" | "object" | "envelope" | "file" | "none";

export type FqlUses = Readonly<Record<string, FqlUse>>;

export interface FqlUse {
  /** `field`: a single field name. */
  readonly use: "filter" | "sort" | "field";
  /** The resource with the fields; null if it depends on the request. */
  readonly resource: string | null;
}
