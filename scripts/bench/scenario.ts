import type { Result } from "./measure.ts";

export interface BenchRun {
  /** A temporary folder of this run. */
  readonly folder: string;
  /** Share of the records to use: 1 for the real figures. */
  readonly scale: number;
  /** Duration of one measurement. */
  readonly seconds: number;
  /** Numbers of records of the cost curves. */
  readonly sizes: readonly number[];
  /** The file that the cost curves are drawn into. */
  readonly figure?: string | undefined;
}

/** A scenario measures one thing that users do. */
export interface Scenario {
  readonly name: string;
  readonly run: (bench: BenchRun) => Promise<readonly Result[]>;
}
