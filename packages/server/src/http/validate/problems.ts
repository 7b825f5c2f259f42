import type { ErrorObject } from "ajv";
import type { Problem } from "../../errors.ts";
import { suggestion } from "../suggestion.ts";
import { expectation } from "./expectation.ts";

/** Ajv's findings as problems of the request: where, what was found, what was expected. */
export function problemsOf(
  found: readonly ErrorObject[],
  place: string,
  value: unknown,
): readonly Problem[] {
  const problems = new Map<string, Problem>();
  for (const error of relevant(found)) {
    const problem = problemOf(error, place);
    problems.set(`${problem.at} ${problem.message}`, problem);
  }
  if (problems.size === 0 && found.length > 0) {
    return [{ at: place, message: `does not have the documented shape, got ${shown(value)}` }];
  }
  return [...problems.values()];
}

/**
 * Of the alternatives of a oneOf or anyOf, only the one whose type the value has is worth reporting;
 * the keyword itself is reported when no single alternative stands out.
 */
function relevant(found: readonly ErrorObject[]): readonly ErrorObject[] {
  let rest = found;
  for (const choice of found) {
    if (choice.keyword !== "oneOf" && choice.keyword !== "anyOf") continue;
    const prefix = `${choice.schemaPath}/`;
    const branches = Map.groupBy(
      rest.filter((error) => isInside(error, choice) && error !== choice),
      (error) => branchOf(error, prefix),
    );
    const fitting = [...branches].filter(
      ([, errors]) =>
        !errors.some(
          (error) => error.keyword === "type" && error.instancePath === choice.instancePath,
        ),
    );
    const kept = fitting.length === 1 ? (fitting[0]?.[1] ?? []) : [choice];
    rest = rest.filter((error) => !isInside(error, choice) || kept.includes(error));
  }
  return rest.filter((error) => error.keyword !== "if");
}

const isInside = (error: ErrorObject, choice: ErrorObject): boolean =>
  error.instancePath === choice.instancePath ||
  error.instancePath.startsWith(`${choice.instancePath}/`);

/** Errors behind a reference carry that schema's own path: they group by the schema they name. */
function branchOf(error: ErrorObject, prefix: string): string {
  return error.schemaPath.startsWith(prefix)
    ? (error.schemaPath.slice(prefix.length).split("/")[0] ?? "")
    : error.schemaPath.replace(/\/(properties|items|required|type|additionalProperties)\b.*$/, "");
}

function problemOf(error: ErrorObject, place: string): Problem {
  const at = place + location(error.instancePath);
  const parameters = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case "additionalProperties":
    case "unevaluatedProperties": {
      const name = String(parameters["additionalProperty"] ?? parameters["unevaluatedProperty"]);
      const known = Object.keys(
        (error.parentSchema as { properties?: object } | undefined)?.properties ?? {},
      );
      return { at: `${at}.${name}`, message: `unknown ${kind(place)}${suggestion(name, known)}` };
    }
    case "required":
      return { at: `${at}.${String(parameters["missingProperty"])}`, message: "is required" };
    case "dependentRequired":
      return {
        at: `${at}.${String(parameters["missingProperty"])}`,
        message: `is required with ${String(parameters["property"])}`,
      };
    case "enum": {
      const allowed = (error.schema as unknown[]).map(String);
      const given = typeof error.data === "string" ? suggestion(error.data, allowed) : "";
      return {
        at,
        message: `expected one of ${allowed.join(", ")}, got ${shown(error.data)}${given}`,
      };
    }
    default:
      return { at, message: `${expectation(error)}, got ${shown(error.data)}` };
  }
}

const kind = (place: string): string => (place === "query" ? "parameter" : "field");

/** `/indicators/3/type` reads `.indicators[3].type`. */
function location(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join("");
}

/** A value as it reads in a message: JSON, cut short. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
