import type { Predicate } from "@security-platform/fql";
import type { Context } from "../../../calls/context.ts";
import type { RecordText } from "../../../store/index.ts";

/** The selection and order of an export's rows. */
export interface Reading extends Pick<Context, "store" | "blobs"> {
  readonly cid: string;
  readonly predicate: Predicate;
  /** The time at which the records are read. */
  readonly now: Date;
}

/** JSON texts of rows. */
export type RowBatches = AsyncIterable<readonly RecordText[]>;
