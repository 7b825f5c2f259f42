/** What `judging.json` has: how the gate and others judge. */
export interface Judging {
  readonly oasdiff: OasdiffResult | null;
  readonly families: readonly JudgedFamily[];
  readonly oracle: readonly JudgedOracle[];
  readonly pairs: readonly JudgedPair[];
}

/** A family of pairs; each counts there and back. */
export interface JudgedFamily {
  readonly family: string;
  readonly verdicts: number;
  readonly right: number;
}

/** The verdicts of oasdiff on the same families. */
export interface OasdiffResult {
  readonly version: string;
  readonly families: readonly (JudgedFamily & {
    /** Documents that it refuses. */
    readonly refused: number;
  })[];
}

export interface JudgedOracle {
  readonly kind: "schemas" | "messages";
  readonly family: string;
  readonly cases: number;
  /** Disagreements that have a reason in the list. */
  readonly explained: number;
  readonly reasons: readonly string[];
}

/** Two versions of a real document. */
export interface JudgedPair {
  readonly document: string;
  readonly from: string;
  readonly to: string;
  readonly megabytes: number;
  readonly verdict: string;
  readonly major: number;
  readonly minor: number;
  readonly causes: number;
  readonly seconds: number;
  readonly memory: number;
  readonly oasdiff: {
    readonly errors: number;
    readonly warnings: number;
    readonly seconds: number;
  } | null;
}
