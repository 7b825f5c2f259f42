import { servedDocument, type FaultRule } from "@security-platform/spec";
import { suggestion } from "@security-platform/spec/schemas";
import type { Problem } from "../../foundation/errors.ts";

/** Why a value of a member is refused, or null. */
type Check = (value: unknown) => string | null;

const integer =
  (least: number, most: number): Check =>
  (value) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most
      ? null
      : `expected an integer from ${least} to ${most}`;

const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.includes(String(value)) && typeof value === "string"
      ? null
      : `expected ${values.join(" or ")}${suggestion(String(value), values)}`;

/** Why an id is refused, or null if the platform has this operation. */
export function operationProblem(id: string): string | null {
  const ids: string[] = servedDocument().operations.map((operation) => operation.id);
  return ids.includes(id) ? null : `no such operation${suggestion(id, ids)}`;
}

const longestMilliseconds = 3_600_000;

const checks: Readonly<Record<keyof FaultRule, Check>> = {
  operation_id: (value) => operationProblem(String(value)),
  match: () => null,
  times: (value) =>
    value === "always" || integer(1, 1_000_000)(value) === null
      ? null
      : "expected an integer from 1 to 1000000, or always",
  probability: (value) =>
    typeof value === "number" && value >= 0 && value <= 1 ? null : "expected a number from 0 to 1",
  seed: integer(0, 2 ** 32 - 1),
  status: integer(400, 599),
  delay_ms: integer(0, longestMilliseconds),
  drop: oneOf("before", "after"),
  body: oneOf("truncated", "slow"),
  slow_ms: integer(0, longestMilliseconds),
  content_type: (value) =>
    typeof value === "string" && /^[\w.+-]+\/[\w.+-]+(?:;[\x20-\x7e]*)?$/.test(value)
      ? null
      : "expected a media type such as text/html",
};

const matchMembers = ["query", "path", "headers", "body"];
const effects = ["status", "delay_ms", "drop", "body", "content_type"];

/** Everything that is wrong with a fault, with places inside it. */
export function faultProblems(rule: unknown): readonly Problem[] {
  if (!isObject(rule)) {
    return [{ at: "", message: `expected an object with ${Object.keys(checks).join(", ")}` }];
  }
  const problems = [...unknownMembers("", rule, Object.keys(checks)), ...matchProblems(rule)];
  for (const [name, check] of Object.entries(checks)) {
    if (rule[name] === undefined) continue;
    const message = check(rule[name]);
    if (message !== null) problems.push({ at: name, message });
  }
  if (effects.every((name) => rule[name] === undefined)) {
    problems.push({ at: "", message: `needs at least one of ${effects.join(", ")}` });
  }
  if (rule["slow_ms"] !== undefined && rule["body"] !== "slow") {
    problems.push({ at: "slow_ms", message: "needs body to be slow" });
  }
  return problems;
}

function matchProblems({ match }: Readonly<Record<string, unknown>>): Problem[] {
  if (match === undefined) return [];
  if (!isObject(match)) {
    return [{ at: "match", message: `expected an object with ${matchMembers.join(", ")}` }];
  }
  const texts = ["query", "path", "headers"].flatMap((name) => {
    const values = match[name];
    if (values === undefined) return [];
    const isRight =
      isObject(values) && Object.values(values).every((value) => typeof value === "string");
    return isRight ? [] : [{ at: `match.${name}`, message: "expected an object of texts" }];
  });
  return [...unknownMembers("match.", match, matchMembers), ...texts];
}

const unknownMembers = (place: string, value: object, known: readonly string[]): Problem[] =>
  Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => {
      // The beginning of a name is too different from it to be similar.
      const longer = known.find((each) => each.startsWith(name));
      const hint = longer === undefined ? suggestion(name, known) : `; did you mean ${longer}?`;
      return { at: `${place}${name}`, message: `unknown field${hint}` };
    });

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
