/** How large a change is, as semantic versioning counts. */
export type Verdict = "none" | "patch" | "minor" | "major";

export const verdicts: readonly Verdict[] = ["none", "patch", "minor", "major"];

export const largest = (all: readonly Verdict[]): Verdict =>
  verdicts.findLast((verdict) => all.includes(verdict)) ?? "none";

export const isLarger = (left: Verdict, right: Verdict): boolean =>
  verdicts.indexOf(left) > verdicts.indexOf(right);

/** What a client sends, or what it reads. */
export type Direction = "request" | "response";

export type Party = "clients that send it" | "clients that read it" | "servers";

export interface Change {
  readonly rule: string;
  readonly verdict: Verdict;
  readonly direction: Direction;
  /** Method and path of an operation, where there is one, and a JSON pointer. */
  readonly place: string;
  readonly message: string;
  readonly affects: readonly Party[];
}

/** A change with what reports need besides. */
export interface Finding extends Change {
  /** `METHOD path` of every operation that the change reaches. */
  readonly operations: readonly string[];
  /** JSON pointer, in a further file with its path before the `#`. */
  readonly pointer: string;
  /** The document that has the place: the base where something was removed. */
  readonly document: "base" | "revision";
}
