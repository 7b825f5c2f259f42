import type { Predicate } from "@security-platform/fql";
import type { Context } from "../../../context.ts";
import type { RecordText } from "../../../store/types.ts";

/** Which rows an export reads. */
export interface Reading extends Pick<Context, "store" | "blobs"> {
  readonly cid: string;
  readonly predicate: Predicate;
  /** The instant at which the records are read. */
  readonly now: Date;
}

/** JSON texts of rows. */
export type RowBatches = AsyncIterable<readonly RecordText[]>;
