import type { Problem } from "../foundation/errors.ts";
import { suggestion } from "./suggestion.ts";
import { isFound, isOfChoice, reportedOf, type Reported } from "./alternatives.ts";
import { expectation, expectedOneOf } from "./expectation.ts";
import { shown } from "./shown.ts";
import type { Violation } from "./violation.ts";

/** Converts violations of a schema to problems of the request: the place, the value and what was expected. */
export function problemsOf(
  violations: readonly Violation[],
  place: string,
  value: unknown,
): readonly Problem[] {
  const problems = new Map<string, Problem>();
  for (const error of relevant(violations)) {
    const problem = isFound(error)
      ? problemOf(error, place)
      : { at: place + location(error.instancePath), message: error.message };
    problems.set(`${problem.at} ${problem.message}`, problem);
  }
  if (problems.size === 0 && violations.length > 0) {
    return [{ at: place, message: `does not have the documented shape, got ${shown(value)}` }];
  }
  return [...problems.values()];
}

/** Replaces the findings of alternatives with the problems to report. */
function relevant(violations: readonly Violation[]): readonly Reported[] {
  let rest: readonly Reported[] = violations;
  for (const choice of violations) {
    if (choice.keyword !== "oneOf" && choice.keyword !== "anyOf") continue;
    const inside = rest.filter((error) => isOfChoice(error, choice));
    const reported = reportedOf(
      choice,
      inside.filter(isFound).filter((error) => error !== choice),
    );
    rest = rest.filter((error) => !inside.includes(error) || reported.includes(error));
    rest = [...rest, ...reported.filter((error) => !rest.includes(error))];
  }
  return rest;
}

function problemOf(error: Violation, place: string): Problem {
  const at = place + location(error.instancePath);
  const { member = "" } = error;
  switch (error.keyword) {
    case "additionalProperties": {
      const declaredNames = Object.keys(
        (error.parentSchema as { properties?: object } | undefined)?.properties ?? {},
      );
      return {
        at: `${at}.${member}`,
        message: `unknown ${kind(place)}${suggestion(member, declaredNames)}`,
      };
    }
    case "required":
      return { at: `${at}.${member}`, message: "is required" };
    case "enum":
      return { at, message: expectedOneOf(error.schema as readonly unknown[], error.data) };
    default:
      return { at, message: `${expectation(error)}${actualText(error)}` };
  }
}

const kind = (place: string): string => (place === "query" ? "parameter" : "field");

/** Converts `/indicators/3/type` to `.indicators[3].type`. */
function location(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join("");
}

/** The value in the request. Never repeats a secret. */
const actualText = ({ parentSchema, data }: Violation): string =>
  (parentSchema as { writeOnly?: boolean } | undefined)?.writeOnly === true
    ? ""
    : `, got ${shown(data)}`;
