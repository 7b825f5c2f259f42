import type { Direction, Party, Verdict } from "../change.ts";

/**
 * What a change does to the set of valid messages. A narrowed request breaks clients that send it;
 * a widened response breaks clients that read it.
 */
export type Effect = "narrows" | "widens" | "changes";

export interface Rule {
  readonly effect: Effect;
  /** Description of the rule, in one sentence. */
  readonly finds: string;
  /** Verdicts that differ from the default of the effect. */
  readonly request?: Verdict;
  readonly response?: Verdict;
  /** Other verdicts that single changes have. */
  readonly unless?: readonly Exception[];
}

/** Which changes of a rule have another verdict. */
export interface Exception {
  readonly direction: Direction;
  readonly verdict: Verdict;
  /** Such as `for a parameter`. */
  readonly when: string;
}

const byEffect: Readonly<Record<Effect, Readonly<Record<Direction, Verdict>>>> = {
  narrows: { request: "major", response: "patch" },
  widens: { request: "minor", response: "major" },
  changes: { request: "major", response: "major" },
};

export const verdictOf = (rule: Rule, direction: Direction): Verdict =>
  rule[direction] ?? byEffect[rule.effect][direction];

/** Who must act on a change. */
export function affectedBy(verdict: Verdict, direction: Direction): readonly Party[] {
  const clients: Party = direction === "request" ? "clients that send it" : "clients that read it";
  if (verdict === "major") return [clients];
  if (verdict === "minor") return ["servers"];
  return direction === "response" && verdict === "patch" ? ["servers"] : [];
}
