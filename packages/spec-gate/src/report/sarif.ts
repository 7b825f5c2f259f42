import type { Verdict } from "../change.ts";
import { verdictOf } from "../rules/rule.ts";
import { rules } from "../rules/rules.ts";
import { spotsOf } from "./located.ts";
import { isBreaking, type Judgement } from "./report.ts";

const schema = "https://json.schemastore.org/sarif-2.1.0.json";

/** SARIF 2.1.0. */
export function sarifReport(judgement: Judgement): string {
  const { changes, approved, failures, revision, folder } = judgement;
  const spots = spotsOf(changes, revision, folder);
  const used = new Set([...changes.map(({ rule }) => rule), ...failures.map(({ rule }) => rule)]);
  const ids = [...used].toSorted();
  const results = changes.map((finding) => {
    const { rule, verdict, message, place, direction, affects, operations } = finding;
    const spot = spots.get(finding);
    const reason = approved.get(finding);
    return {
      ruleId: rule,
      ruleIndex: ids.indexOf(rule),
      level: isBreaking(judgement, finding) ? "error" : levelOf(verdict),
      message: { text: `${withoutLinks(message)}.` },
      locations: [
        {
          ...(spot === undefined
            ? {}
            : {
                physicalLocation: {
                  artifactLocation: { uri: encodeURI(spot.file) },
                  region: { startLine: spot.line },
                },
              }),
          logicalLocations: [{ fullyQualifiedName: place }],
        },
      ],
      partialFingerprints: { change: `${rule} ${direction} ${place}` },
      ...(reason === undefined
        ? {}
        : { suppressions: [{ kind: "external", justification: reason }] }),
      properties: { verdict, direction, affects, operations },
    };
  });
  const more = failures.map(({ rule, place, message }) => ({
    ruleId: rule,
    ruleIndex: ids.indexOf(rule),
    level: "error",
    message: { text: withoutLinks(`${place}: ${message}`) },
  }));
  const run = {
    tool: {
      driver: { name: "spec-gate", rules: ids.map(describe) },
    },
    results: [...results, ...more],
  };
  return `${JSON.stringify({ $schema: schema, version: "2.1.0", runs: [run] }, null, 2)}\n`;
}

function describe(id: string) {
  const rule = id in rules ? rules[id as keyof typeof rules] : undefined;
  if (rule === undefined) return { id };
  return {
    id,
    shortDescription: { text: rule.finds },
    properties: { request: verdictOf(rule, "request"), response: verdictOf(rule, "response") },
  };
}

/** A message may have links as in Markdown, which text of a document must not become. */
const withoutLinks = (text: string): string => text.replaceAll("](", "] (");

const levelOf = (verdict: Verdict): string => (verdict === "major" ? "warning" : "note");
