import type { OperationId } from "@security-platform/spec";
import type { Answer, FileContent } from "./answer.ts";
import type { Awaitable } from "./awaitable.ts";
import type { LinkTarget } from "./blobs/links.ts";
import type { Call } from "./call.ts";
import type { Context } from "./context.ts";

export type Handler<Id extends OperationId = OperationId> = (call: Call<Id>) => Awaitable<Answer>;

/** One handler for each operation of the document. A missing one does not compile. */
export type OperationHandlers = { readonly [Id in OperationId]: Handler<Id> };

/** A pre-signed URL that is in use: who has it needs no token. */
export interface UsedLink {
  /** What the path names; empty where it names nothing. */
  readonly id: string;
  readonly members: LinkTarget["members"];
  readonly now: Date;
}

/** What pre-signed URLs of one form lead to. `signLink` makes them. */
export interface LinkKind {
  /** Path below `/files/`: `case-files/:id`. */
  readonly route: string;
  /** Members of the query besides those of every URL: `cid`, `expires` and `signature`. */
  readonly members: readonly string[];
  /** Whether a part of the file can be requested. */
  readonly ranges: boolean;
  /** The file; 404 for one that no longer exists. */
  open(context: Context, link: UsedLink): Promise<FileContent>;
}
