/** What an entry of spec/errata/ does with the written specification. The whole list. */
export const errataKinds = {
  "fills-gap": "The specification does not show it; the document says it.",
  stricter: "The document requires, bounds or refuses what the specification leaves open.",
  wider: "The document takes or gives more than the specification shows.",
  corrects: "The specification contradicts itself, or says what cannot be; the document does not.",
  "chooses-between-sources": "Sources disagree; the document follows one of them.",
  "other-form": "The same matter in another spelling, place or form.",
} as const;

export type ErratumKind = keyof typeof errataKinds;

/** Something in the document that the entry is about. The place is that of the entry, or those of `in`. */
export interface DocumentCheck {
  /** Steps from the place, see `valueAt`. */
  readonly at: string;
  /** Other places, in which the same must hold. */
  readonly in?: readonly string[];
  /** Is this. */
  readonly value?: unknown;
  /** Contains these: members of a list, keys of an object, pieces of a text. */
  readonly has?: readonly unknown[];
  /** Contains none of these. */
  readonly lacks?: readonly unknown[];
  /** Has exactly these keys. */
  readonly keys?: readonly string[];
}

/** A lint rule that holds the entry. */
export interface RuleCheck {
  readonly rule: string;
}

/** A test that holds the entry: a file of the repository, and the title as it is written there. */
export interface TestCheck {
  readonly file: string;
  readonly title: string;
}

export type Check = DocumentCheck | RuleCheck | TestCheck;

/** One decision: what the written specification says or leaves open, and what stands in the document. */
export interface Erratum {
  /** An operation id, a component (`schemas/Indicator`), or `document`. */
  readonly place: string;
  readonly kind: ErratumKind;
  readonly specification: string;
  readonly document: string;
  readonly reason: string;
}

/** An erratum as its file has it, with what holds it. */
export interface Entry extends Erratum {
  /** Departures from the reference tables that it explains; `*` stands for anything. */
  readonly departures?: readonly string[];
  /** What holds it. All of them. */
  readonly test: readonly Check[];
}
