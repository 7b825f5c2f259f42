import { verdictOf } from "../rules/rule.ts";
import { rules } from "../rules/rules.ts";
import type { Spot } from "./located.ts";
import type { Report, ReportedChange } from "./model.ts";

const schema = "https://json.schemastore.org/sarif-2.1.0.json";

/** SARIF 2.1.0. */
export function sarifReport(report: Report): string {
  const { changes, failures, notes, exitCode, problem } = report;
  const used = new Set([...changes, ...failures].map(({ rule }) => rule));
  const ids = [...used].toSorted();
  const results = changes.map((change) => ({
    ruleId: change.rule,
    ruleIndex: ids.indexOf(change.rule),
    level: change.breaks ? "error" : change.verdict === "major" ? "warning" : "note",
    message: { text: `${withoutLinks(change.message)}.${change.breaks ? ` ${change.who}` : ""}` },
    locations: [
      {
        physicalLocation: physical(change.locations.revision),
        logicalLocations: [{ fullyQualifiedName: change.place }],
      },
    ],
    relatedLocations: [
      {
        id: 0,
        physicalLocation: physical(change.locations.base),
        message: { text: "The place in the base." },
      },
    ],
    partialFingerprints: { change: change.fingerprint },
    ...(change.approval === null
      ? {}
      : { suppressions: [{ kind: "external", justification: change.approval.reason }] }),
    properties: propertiesOf(change),
  }));
  const more = failures.map(({ rule, place, message }) => ({
    ruleId: rule,
    ruleIndex: ids.indexOf(rule),
    level: "error",
    message: { text: withoutLinks(`${place}: ${message}`) },
  }));
  const run = {
    tool: { driver: { name: "spec-gate", rules: ids.map(describe) } },
    invocations: [
      {
        executionSuccessful: problem === null,
        exitCode,
        toolExecutionNotifications: notes.map((note) => ({
          level: "note",
          message: { text: withoutLinks(note) },
        })),
      },
    ],
    results: [...results, ...more],
  };
  return `${JSON.stringify({ $schema: schema, version: "2.1.0", runs: [run] }, null, 2)}\n`;
}

const physical = ({ file, line, column }: Spot) => ({
  artifactLocation: { uri: encodeURI(file) },
  region: { startLine: line, startColumn: column },
});

const propertiesOf = (change: ReportedChange) => {
  const { verdict, category, direction, affects, operations, values, fix } = change;
  return { verdict, category, direction, affects, operations, values, fix };
};

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
