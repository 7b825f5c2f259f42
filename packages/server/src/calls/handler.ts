import type { OperationId } from "@security-platform/spec";
import type { Answer, FileContent } from "./answer.ts";
import type { Awaitable } from "../foundation/awaitable.ts";
import type { LinkTarget } from "../blobs/links.ts";
import type { Call } from "./call.ts";
import type { Context } from "./context.ts";

export type Handler<Id extends OperationId = OperationId> = (call: Call<Id>) => Awaitable<Answer>;

/** One handler for each operation of the document. A missing one does not compile. */
export type OperationHandlers = { readonly [Id in OperationId]: Handler<Id> };

/** A pre-signed URL of a request. Its holder needs no token. */
export interface UsedLink {
  /** The identifier in the path; empty if the path has none. */
  readonly id: string;
  readonly members: LinkTarget["members"];
  readonly now: Date;
}

/** One kind of pre-signed URL and the files that it leads to. `signLink` creates the URLs. */
export interface LinkKind {
  /** Path below `/files/`, such as `case-files/:id`. */
  readonly route: string;
  /** Query members in addition to those of every URL (`cid`, `expires` and `signature`). */
  readonly members: readonly string[];
  /** Whether a part of the file can be requested. */
  readonly ranges: boolean;
  /** Opens the file. Throws 404 if it no longer exists. */
  open(context: Context, link: UsedLink): Promise<FileContent>;
}
