import type { Position, Records } from "../../../store/index.ts";
import type { Incident } from "../incidents.ts";

/** A page of a list in GraphQL. */
export interface Connection<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** The parts of the query's `Reading` that a list of incidents uses. */
export interface ConnectionReader {
  readonly now: Date;
  readonly incidents: Records<Incident>;
  /** Whether the response has room for this many more records. */
  hasRoomFor(nodes: number): boolean;
  /** The position in a cursor. Throws `QueryRefusal` for a cursor of another list. */
  open(cursor: string | null | undefined, question: readonly unknown[]): Position | undefined;
  pageInfo(
    next: Position | undefined,
    question: readonly unknown[],
  ): Connection<unknown>["pageInfo"];
}
