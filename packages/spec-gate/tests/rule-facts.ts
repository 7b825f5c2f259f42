import type { JsonObject } from "../src/json.ts";
import { verdicts, type Change } from "../src/change.ts";
import type { RuleExample, RuleFacts } from "../src/rules/explain.ts";
import { checkVersion, versionIn } from "../src/policy/version.ts";
import { verdictOf } from "../src/rules/rule.ts";
import { ruleOf, rules, type RuleId } from "../src/rules/rules.ts";
import { compare, documentWith, operationWith } from "../src/testing/documents.ts";
import { editOf } from "./oasdiff/edit-of.ts";
import type { Row } from "./oasdiff/table.ts";
import { cases } from "./rule-cases.ts";

/** Rules of additional checks, which two documents alone do not show. */
export const withoutPair: readonly RuleId[] = ["consumer-does-not-compile", "contract-case-fails"];

const parameter = (name: string): JsonObject =>
  documentWith({
    paths: {
      [`/things/{${name}}`]: {
        get: {
          parameters: [{ name, in: "path", required: true, schema: { type: "string" } }],
          responses: { 204: { description: "Done." } },
        },
      },
    },
  });

/** The pair without components, if it refers to none. */
function withoutComponents(
  edit: ReturnType<typeof editOf>,
): readonly (readonly [JsonObject, JsonObject])[] {
  if (edit === undefined || /#\/components|"security"/.test(JSON.stringify(edit))) return [];
  const [{ components: _, ...base }, { components: __, ...revision }] = edit;
  return [[base as JsonObject, revision as JsonObject]];
}

const raised = (version: string, operation: JsonObject): JsonObject => ({
  ...operationWith(operation),
  info: { title: "Test", version },
});

/** What `spec-gate rules --explain` shows of each rule beside its text: the smallest example. */
export function ruleFacts(table: readonly Row[]): Readonly<Record<string, RuleFacts>> {
  const pairs: readonly (readonly [JsonObject, JsonObject])[] = [
    ...cases.flatMap(([, before, after]) => [[before, after] as const, [after, before] as const]),
    ...table.flatMap(({ check }) => {
      const edit = editOf(check);
      return edit === undefined ? [] : [edit];
    }),
    [parameter("id"), parameter("key")],
    ...table.flatMap(({ check }) => withoutComponents(editOf(check))),
    [raised("2.0.0", {}), raised("1.0.0", { summary: "Add a thing" })],
  ];
  const best = new Map<string, RuleExample & { readonly cost: number }>();
  for (const [base, revision] of pairs) {
    const { changes, verdict } = compare(base, revision);
    const size = JSON.stringify([base, revision]).length;
    const failures = checkVersion(versionIn(base), versionIn(revision), verdict).map(
      (failure): Change => ({ ...failure, verdict: "major", direction: "request", affects: [] }),
    );
    for (const { rule, verdict: severity, direction, place, message } of [
      ...changes,
      ...failures,
    ]) {
      // The example shows the worst direction, little else, and no exception.
      const isUsual = verdictOf(ruleOf(rule as RuleId), direction) === severity;
      const cost =
        size +
        1_000 * (changes.length - 1) -
        100_000 * verdicts.indexOf(severity) +
        (isUsual ? 0 : 1_000_000);
      if (cost >= (best.get(rule)?.cost ?? Infinity)) continue;
      best.set(rule, { base, revision, direction, severity, place, message, cost });
    }
  }
  return Object.fromEntries(
    Object.keys(rules).map((rule) => {
      const found = best.get(rule);
      const { cost: _, ...example } = found ?? { cost: 0 };
      const oasdiff = table
        .filter((row) => row.rules.split(", ").some((each) => each.split(" ")[0] === rule))
        .map(({ check, level }) => ({ check, level }));
      return [rule, { oasdiff, example: found === undefined ? null : example }];
    }),
  ) as Readonly<Record<string, RuleFacts>>;
}

/** One rule a line. */
export const factsText = (facts: Readonly<Record<string, RuleFacts>>): string =>
  `{\n${Object.entries(facts)
    .map(([rule, each]) => `${JSON.stringify(rule)}: ${JSON.stringify(each)}`)
    .join(",\n")}\n}\n`;
