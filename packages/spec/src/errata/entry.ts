/** The possible relations of an errata entry to the written specification. */
export const errataKinds = {
  "fills-gap": "The specification leaves it open; the document defines it.",
  stricter: "The document requires, limits or rejects what the specification leaves open.",
  wider: "The document accepts or returns more than the specification shows.",
  corrects: "The specification contradicts itself or is impossible; the document is consistent.",
  "chooses-between-sources": "Sources contradict each other; the document follows one of them.",
  "other-form": "The same content in another spelling, place or form.",
} as const;

export type ErratumKind = keyof typeof errataKinds;

/** A value in the document that the entry describes, at the place of the entry or at the places of `in`. */
export interface DocumentCheck {
  /** Path from the place, see `valueAt`. */
  readonly at: string;
  /** Other places with the same requirement. */
  readonly in?: readonly string[];
  /** The value is equal to this. */
  readonly value?: unknown;
  /** The value contains all of these: members of a list, keys of an object, substrings. */
  readonly has?: readonly unknown[];
  /** The value contains none of these. */
  readonly lacks?: readonly unknown[];
  /** The object has exactly these keys. */
  readonly keys?: readonly string[];
}

/** A lint rule that enforces the entry. */
export interface RuleCheck {
  readonly rule: string;
}

/** A test that enforces the entry: a file of the repository, and the title of the test. */
export interface TestCheck {
  readonly file: string;
  readonly title: string;
}

export type Check = DocumentCheck | RuleCheck | TestCheck;

/** One decision: what the written specification defines or leaves open, and what the document defines. */
export interface Erratum {
  /** An operation id, a component (`schemas/Indicator`), or `document`. */
  readonly place: string;
  readonly kind: ErratumKind;
  readonly specification: string;
  readonly document: string;
  readonly reason: string;
}

/** An erratum in its file, with its checks. */
export interface Entry extends Erratum {
  /** Departures from the reference tables that it explains; `*` matches anything. */
  readonly departures?: readonly string[];
  /** The checks that enforce it; all must pass. */
  readonly test: readonly Check[];
}
