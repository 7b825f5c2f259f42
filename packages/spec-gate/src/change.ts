import type { Json } from "./json.ts";

/** The level of a change, as in semantic versioning. */
export type Verdict = "none" | "patch" | "minor" | "major";

export const verdicts: readonly Verdict[] = ["none", "patch", "minor", "major"];

export const largest = (all: readonly Verdict[]): Verdict =>
  verdicts.findLast((verdict) => all.includes(verdict)) ?? "none";

export const isLarger = (left: Verdict, right: Verdict): boolean =>
  verdicts.indexOf(left) > verdicts.indexOf(right);

/** Data that a client sends, or data that it receives. */
export type Direction = "request" | "response";

export type Party = "clients that send it" | "clients that read it" | "servers";

export interface Change {
  readonly rule: string;
  readonly verdict: Verdict;
  readonly direction: Direction;
  /** Method and path of the operation, if any, and a JSON pointer. */
  readonly place: string;
  readonly message: string;
  readonly affects: readonly Party[];
}

/** Something that both documents have. */
export interface Sides<Item> {
  readonly base: Item;
  readonly revision: Item;
}

/** A part of an operation. */
export interface Part {
  readonly operation: string;
  /** Such as `response 200` or `query parameter limit`. */
  readonly name: string;
}

/** A change with additional data for reports. */
export interface Finding extends Change {
  /** `METHOD path` of every affected operation. */
  readonly operations: readonly string[];
  /** JSON pointer; in other files than the main one, with the file path before the `#`. */
  readonly pointer: string;
  /** The document that contains the place: the base if something was removed. */
  readonly document: "base" | "revision";
  /** The place in each document; what one of them lacks is looked for at its nearest parent. */
  readonly pointers?: Sides<string>;
  /** The parts of operations that change, such as `response 200`. */
  readonly parts?: readonly Part[];
  /** The old and the new value, where those at the pointers do not show the change. */
  readonly values?: Partial<Sides<Json>>;
}

/** A reason other than a change for which a run fails, such as an approval that is not used. */
export interface Failure {
  readonly rule: string;
  readonly place: string;
  readonly message: string;
}
