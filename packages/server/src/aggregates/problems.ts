import type { Problem } from "../foundation/errors.ts";

/** An invalid aggregate request, with all problems. */
export class AggregateError extends Error {
  override readonly name = "AggregateError";
  /** Place in the request: `body[0].sub_aggregates[1].interval`. */
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ at, message }) => `${at}: ${message}`).join("\n"));
    this.problems = problems;
  }
}

/** One specification of the request, and the place for its problems. */
export class Place {
  readonly path: string;
  readonly #problems: Problem[];

  constructor(path: string, problems: Problem[] = []) {
    this.path = path;
    this.#problems = problems;
  }

  inside(member: string): Place {
    return new Place(`${this.path}.${member}`, this.#problems);
  }

  item(index: number): Place {
    return new Place(`${this.path}[${index}]`, this.#problems);
  }

  /** Returns null, so that a reader of a member can report and return in one expression. */
  report(message: string): null {
    this.#problems.push({ at: this.path, message });
    return null;
  }

  /** Throws if a problem was reported, here or at any other place of the request. */
  throwIfReported(): void {
    if (this.#problems.length > 0) throw new AggregateError(this.#problems);
  }
}
