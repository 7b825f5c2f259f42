import { readFileSync } from "node:fs";
import { dump } from "js-yaml";
import type { Direction, Verdict } from "../change.ts";
import type { JsonObject } from "../json.ts";
import { unknownWord } from "../nearest.ts";
import { CannotJudge } from "../read/cannot-judge.ts";
import { adviceFor } from "./advice.ts";
import { categoryOf, type Category } from "./category.ts";
import { verdictOf } from "./rule.ts";
import { failureRules, ruleOf, rules, type RuleId } from "./rules.ts";

/** Two documents that differ in what a rule finds. */
export interface RuleExample {
  readonly base: JsonObject;
  readonly revision: JsonObject;
  readonly direction: Direction;
  readonly severity: Verdict;
  readonly place: string;
  readonly message: string;
}

/** What is known of a rule beside its text, from `rule-facts.json`. */
export interface RuleFacts {
  /** The checks of oasdiff that find the same, with their levels. */
  readonly oasdiff: readonly { readonly check: string; readonly level: string }[];
  /** Null for rules of additional checks. */
  readonly example: RuleExample | null;
}

/** A rule in one direction: for what clients send, or for what they receive. */
interface Judged {
  readonly direction: Direction;
  readonly severity: Verdict;
  readonly category: Category;
  readonly who: string;
  readonly fix: string;
  /** Changes of the rule that are judged otherwise. */
  readonly unless: readonly { readonly severity: Verdict; readonly when: string }[];
}

export interface ExplainedRule extends RuleFacts {
  readonly rule: string;
  readonly finds: string;
  /** Empty for a reason why a run fails that is not a change. */
  readonly directions: readonly Judged[];
}

const factsOf = (): Readonly<Record<string, RuleFacts>> =>
  JSON.parse(readFileSync(new URL("../../rule-facts.json", import.meta.url), "utf8")) as Readonly<
    Record<string, RuleFacts>
  >;

const none: RuleFacts = { oasdiff: [], example: null };

/** Every rule that has a severity, which a configuration may change. */
export function explainedRules(): readonly ExplainedRule[] {
  const facts = factsOf();
  return (Object.keys(rules) as RuleId[]).map((rule): ExplainedRule => ({
    rule,
    finds: ruleOf(rule).finds,
    directions: (["request", "response"] as const).map((direction) => {
      const severity = verdictOf(ruleOf(rule), direction);
      const category = categoryOf(rule, direction);
      const advice = adviceFor({ rule, verdict: severity, direction, category });
      const unless = (ruleOf(rule).unless ?? [])
        .filter((each) => each.direction === direction)
        .map(({ verdict, when }) => ({ severity: verdict, when }));
      return { direction, severity, category, ...advice, unless };
    }),
    ...(facts[rule] ?? none),
  }));
}

/** The other reasons why a run fails. */
const explainedFailures = (): readonly ExplainedRule[] =>
  Object.entries(failureRules).map(([rule, finds]) => ({ rule, finds, directions: [], ...none }));

/** One rule. Throws `CannotJudge` for an unknown name, with the nearest one. */
export function explainedRule(name: string): ExplainedRule {
  const all = [...explainedRules(), ...explainedFailures()];
  const found = all.find(({ rule }) => rule === name);
  if (found !== undefined) return found;
  const known = all.map(({ rule }) => rule);
  throw new CannotJudge(
    `--explain: ${unknownWord("rule", name, known)}; spec-gate rules lists all`,
  );
}

/** A table: rule, category, and the severity for requests and responses. */
export function listText(all: readonly ExplainedRule[]): string {
  const rows = all.map(({ rule, directions, finds }) => {
    const categories = new Set(directions.map(({ category }) => category));
    const [request = "", response = ""] = directions.map(({ severity }) => severity);
    return [rule, [...categories].join(", "), request, response, finds];
  });
  const table = [["RULE", "CATEGORY", "REQUEST", "RESPONSE", "FINDS"], ...rows];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  const lines = table.map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "),
  );
  return `${lines.join("\n")}\n\n${failureText}\n`;
}

const failureText = `A run also fails for these reasons, which are no changes and have no severity: ${Object.keys(failureRules).join(", ")}.`;

/** A rule for people: why it breaks whom, what oasdiff calls it, and two documents. */
export function explanationText(explained: ExplainedRule): string {
  const { rule, finds, directions, oasdiff, example } = explained;
  const lines = [rule, finds, ""];
  for (const { direction, severity, category, who, fix, unless } of directions) {
    const words = direction === "request" ? "what clients send" : "what clients receive";
    lines.push(`${direction} (${words}): ${severity}, category ${category}`, `  ${who}`);
    if (severity === "major") lines.push(`  To mend or soften it: ${fix}`);
    for (const other of unless) lines.push(`  ${other.severity} ${other.when}`);
  }
  if (directions.length === 0)
    lines.push("It is no change of the document: it fails the run, and has no severity.");
  const names = oasdiff.map(({ check, level }) => `${check} (${level})`);
  lines.push("", `oasdiff: ${names.length === 0 ? "has no such check" : names.join(", ")}`);
  if (example === null) return `${lines.join("\n")}\n`;
  const { base, revision, severity, direction, place, message } = example;
  lines.push("", `Example: ${place}`, `  ${severity}, ${direction}: ${message}`);
  for (const [title, document] of [
    ["Before", base],
    ["After", revision],
  ] as const) {
    lines.push(
      "",
      `${title}:`,
      dump(document, { lineWidth: 100 }).trimEnd().replaceAll(/^/gm, "  "),
    );
  }
  return `${lines.join("\n")}\n`;
}
