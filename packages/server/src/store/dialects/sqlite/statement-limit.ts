import { sql, type Sql } from "../sql.ts";
import { interrupted } from "./sqlite-errors.ts";

/** The SQL function that ends a statement at its time limit. */
export const inTime = "in_time";

/** The products of a row and the multiplier are taken modulo this number. */
const range = 2 ** 18;

/**
 * Whether the products of rows that follow one another are spread evenly, and those of every second or third row: no
 * product of a small number comes near a multiple of the range. About one odd number of seven is such a multiplier.
 */
function spreads(multiplier: number): boolean {
  for (let distance = 1; distance <= 2_048; distance += 1) {
    const step = (distance * multiplier) % range;
    if (distance * Math.min(step, range - step) < range / 8) return false;
  }
  return true;
}

function randomMultiplier(): number {
  for (;;) {
    const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
    const multiplier = (random % range) | 1;
    if (spreads(multiplier)) return multiplier;
  }
}

const secret = randomMultiplier();

/**
 * A condition that is always true, and ends the statement at its time limit. It calls the function for one of 64 of the
 * numbers `row`, because a call takes longer than reading a row from an index. Nobody knows which ones, so no tenant can
 * give a value to the other rows alone.
 */
export const whileInTime = (row: Sql): Sql =>
  sql`case when ${row} * ${sql.raw(String(secret))} >> 12 & 63 = 0 then ${sql.raw(inTime)}() else 1 end`;

/** Limits of a statement that must be brief. */
export interface BriefLimit {
  readonly milliseconds: number;
  /** The number of checks: one for 64 rows on average. */
  readonly checks: number;
}

/**
 * The time limit of the statements of one connection. Node.js cannot interrupt a statement of SQLite, so statements
 * that may read many rows check the limit themselves.
 */
export class StatementLimit {
  readonly #milliseconds: number;
  readonly #now: () => number;
  #end = Infinity;
  #checks = Infinity;

  /** `milliseconds`: 0 for no limit. */
  constructor(milliseconds: number, now = () => performance.now()) {
    this.#milliseconds = milliseconds;
    this.#now = now;
  }

  /** Called before each statement. `brief`: limits for this one. */
  begin(brief?: BriefLimit): void {
    const milliseconds = brief?.milliseconds ?? this.#milliseconds;
    this.#checks = brief?.checks ?? Infinity;
    this.#end = milliseconds === 0 ? Infinity : this.#now() + milliseconds;
  }

  /** Called by the statement. Throws an error as SQLite does for an interrupted statement. */
  check(): 1 {
    this.#checks -= 1;
    if (this.#checks < 0 || this.#now() > this.#end) {
      throw Object.assign(new Error("interrupted"), { errcode: interrupted });
    }
    return 1;
  }
}
