import { suggestion } from "./suggestion.ts";
import { isFound, isOfChoice, reportedOf, type Reported, type SchemasIn } from "./alternatives.ts";
import { expectation, expectedOneOf } from "./expectation.ts";
import { shown } from "./shown.ts";
import type { Violation } from "./violation.ts";

/** A problem of a value. */
export interface SchemaProblem {
  /** Members and items from the value to its part with the problem. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** How messages call a member. */
export type MemberNoun = "field" | "parameter";

/** A place in a value that has a name itself: `body.indicators[3].type`. */
export const placeOf = (name: string, path: SchemaProblem["path"]): string =>
  path.reduce<string>(
    (place, step) => place + (typeof step === "number" ? `[${step}]` : `.${step}`),
    name,
  );

/** Converts violations of a schema to problems: the place, the value and what was expected. */
export function problemsOf(
  violations: readonly Violation[],
  value: unknown,
  noun: MemberNoun,
  schemasIn: SchemasIn,
): readonly SchemaProblem[] {
  const problems = new Map<string, SchemaProblem>();
  for (const error of relevant(violations, schemasIn)) {
    const problem = isFound(error)
      ? problemOf(error, noun)
      : { path: pathOf(error.instancePath), message: error.message };
    problems.set(`${placeOf("", problem.path)} ${problem.message}`, problem);
  }
  if (problems.size === 0 && violations.length > 0) {
    return [{ path: [], message: `does not have the documented shape, got ${shown(value)}` }];
  }
  return [...problems.values()];
}

/** Replaces the findings of alternatives with the problems to report. */
function relevant(violations: readonly Violation[], schemasIn: SchemasIn): readonly Reported[] {
  let rest: readonly Reported[] = violations;
  for (const choice of violations) {
    if (choice.keyword !== "oneOf" && choice.keyword !== "anyOf") continue;
    const inside = rest.filter((error) => isOfChoice(error, choice));
    const reported = reportedOf(
      choice,
      inside.filter(isFound).filter((error) => error !== choice),
      schemasIn,
    );
    rest = rest.filter((error) => !inside.includes(error) || reported.includes(error));
    rest = [...rest, ...reported.filter((error) => !rest.includes(error))];
  }
  return rest;
}

function problemOf(error: Violation, noun: MemberNoun): SchemaProblem {
  const path = pathOf(error.instancePath);
  const { member = "" } = error;
  switch (error.keyword) {
    case "additionalProperties": {
      const declaredNames = Object.keys(
        (error.parentSchema as { properties?: object } | undefined)?.properties ?? {},
      );
      return {
        path: [...path, member],
        message: `unknown ${noun}${suggestion(member, declaredNames)}`,
      };
    }
    case "required":
      return { path: [...path, member], message: "is required" };
    case "enum":
      return { path, message: expectedOneOf(error.schema as readonly unknown[], error.data) };
    default:
      return { path, message: `${expectation(error)}${actualText(error)}` };
  }
}

/** `/indicators/3/type` as members and items. */
const pathOf = (pointer: string): SchemaProblem["path"] =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));

/** The value in the request. Never repeats a secret. */
const actualText = ({ parentSchema, data }: Violation): string =>
  parentSchema["writeOnly"] === true || parentSchema["format"] === "password"
    ? ""
    : `, got ${shown(data)}`;
