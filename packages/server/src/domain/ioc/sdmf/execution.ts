import type { Clock } from "../../../foundation/clock.ts";
import { errors, type ApiError } from "../../../foundation/errors.ts";
import { pause } from "../../../foundation/work-turns.ts";
import type { Records } from "../../../store/index.ts";
import type { Row, Rows } from "./frame.ts";

export type SourceName = "indicators" | "executions";

/** Limits of one query. */
export interface SdmfLimits {
  /** Maximum number of rows in the response. */
  readonly answer: number;
  /** Maximum number of rows in memory at a time, for all nodes together. */
  readonly held: number;
  /** Maximum number of rows produced by all nodes together. */
  readonly produced: number;
  /** Maximum time in milliseconds; a query may have an earlier deadline. */
  readonly milliseconds: number;
}

export const defaultSdmfLimits: SdmfLimits = {
  answer: 10_000,
  held: 100_000,
  produced: 5_000_000,
  milliseconds: 60_000,
};

/** One run of a query: the source of its rows, and its use of the limits. */
export class Execution {
  readonly now: Date;
  readonly limits: SdmfLimits;
  readonly #records: Readonly<Record<SourceName, Records>>;
  readonly #clock: Clock;
  readonly #deadline: number;
  readonly #shared = new Map<object, Promise<readonly Row[]>>();
  #held = 0;
  #produced = 0;

  constructor(parts: {
    readonly records: Readonly<Record<SourceName, Records>>;
    readonly clock: Clock;
    readonly now: Date;
    readonly deadline: number | null;
    readonly limits: SdmfLimits;
  }) {
    const { now, limits, deadline } = parts;
    this.now = now;
    this.limits = limits;
    this.#records = parts.records;
    this.#clock = parts.clock;
    this.#deadline = Math.min(deadline ?? Infinity, now.getTime() + limits.milliseconds);
  }

  records(source: SourceName): Records {
    return this.#records[source];
  }

  /**
   * Counts rows produced by the node at `at`, checks the deadline, and lets other requests run.
   */
  async produced(count: number, at: string): Promise<void> {
    this.#produced += count;
    if (this.#produced > this.limits.produced) {
      throw limitExceeded(at, `the query produces more than ${this.limits.produced} rows`);
    }
    await pause();
    if (this.#clock.now().getTime() >= this.#deadline) throw deadlineExceeded();
  }

  /** Counts rows that stay in memory until the query ends. */
  hold(count: number, at: string): void {
    this.#held += count;
    if (this.#held > this.limits.held) {
      throw limitExceeded(at, `the query holds more than ${this.limits.held} rows at a time`);
    }
  }

  release(count: number): void {
    this.#held -= count;
  }

  /** The rows of a node that several other nodes read. They are produced once. */
  share(node: object, make: () => Rows, at: string): Promise<readonly Row[]> {
    const sharedRows = this.#shared.get(node);
    if (sharedRows !== undefined) return sharedRows;
    const rows = this.collect(make(), at);
    this.#shared.set(node, rows);
    return rows;
  }

  /** All rows at once. */
  async collect(rows: Rows, at: string): Promise<readonly Row[]> {
    const all: Row[] = [];
    for await (const batch of rows) {
      this.hold(batch.length, at);
      for (const row of batch) all.push(row);
    }
    return all;
  }
}

const limitExceeded = (at: string, limitName: string): ApiError =>
  errors.invalidRequest([{ at, message: `${limitName}; filter or limit earlier in the pipeline` }]);

const deadlineExceeded = (): ApiError =>
  errors.unavailable("the deadline passed before the query was done", 1);
