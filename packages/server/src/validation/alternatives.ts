import type { JsonSchema } from "@security-platform/spec";
import { expectedOneOf } from "./expectation.ts";
import { schemasIn } from "./resolved.ts";
import type { Violation } from "./violation.ts";

/** A problem that summarises several findings, and its place. */
export interface Summary {
  readonly instancePath: string;
  readonly message: string;
}

export type Reported = Violation | Summary;

export const isFound = (reported: Reported): reported is Violation => "keyword" in reported;

/** Whether a finding comes from the alternatives rather than from the schema that contains them. */
export function isOfChoice(error: Reported, choice: Violation): boolean {
  if (error === choice) return true;
  if (decidingMembers(choice) !== undefined) {
    return isFound(error) && error.schemaPath.startsWith(`${choice.schemaPath}/`);
  }
  return (
    error.instancePath === choice.instancePath ||
    error.instancePath.startsWith(`${choice.instancePath}/`)
  );
}

/**
 * The problems of a failed oneOf or anyOf: the findings of the closest alternative. It is chosen by the
 * value's type, by the member that names the alternative, or by the value's members. If no alternative is
 * closest, describes how they differ.
 */
export function reportedOf(choice: Violation, inside: readonly Violation[]): readonly Reported[] {
  const members = decidingMembers(choice);
  if (members !== undefined) return [decidedBy(choice, members)];
  // Report only a type mismatch for alternatives of another type.
  const meantByType = inside.filter((error) => !isTypeMismatch(error, choice));
  const branches = branchesOf(meantByType, choice);
  const tagged = branches.filter((errors) => !errors.some((error) => isTag(error, choice)));
  const only = single(tagged) ?? single(tagged.filter((errors) => !errors.some(isForeign(choice))));
  if (only !== undefined) return only;
  const lacking = tagged.map((errors) => lackOf(errors, choice));
  if (lacking.length > 0 && !lacking.includes(undefined)) {
    const message = `needs one of ${lacking.join(" and ")}`;
    return [{ instancePath: choice.instancePath, message }];
  }
  const [mismatch] = meantByType.length === 0 ? inside : [];
  if (mismatch !== undefined && inside.every(({ schema }) => schema === mismatch.schema)) {
    return [mismatch];
  }
  return [unknownTag(branches.flat(), choice) ?? choice];
}

/** The members that differ between alternatives that only require different members. */
function decidingMembers({ schema }: Violation): readonly string[] | undefined {
  const alternatives = schema as readonly { readonly required?: readonly string[] }[];
  const plain = alternatives.every((alternative) => {
    const [keyword, ...others] = Object.keys(alternative);
    return keyword === "required" && others.length === 0;
  });
  return plain ? alternatives.flatMap(({ required }) => required ?? []) : undefined;
}

function decidedBy({ instancePath, data }: Violation, members: readonly string[]): Summary {
  const present = members.filter((member) => Object.hasOwn(data as object, member));
  return {
    instancePath,
    message:
      present.length > 1
        ? `takes one of ${members.join(" and ")}, not ${present.length}`
        : `needs one of ${members.join(" and ")}`,
  };
}

/** The findings of each alternative that has findings. */
function branchesOf(
  errors: readonly Violation[],
  choice: Violation,
): readonly (readonly Violation[])[] {
  const alternatives = choice.schema as readonly JsonSchema[];
  const isForOther = new Set(
    errors
      .filter((error) => isTag(error, choice))
      .map(({ parentSchema }) => placeOf(parentSchema, alternatives)),
  );
  const prefix = `${choice.schemaPath}/`;
  const branchOf = ({ schemaPath, parentSchema }: Violation): string => {
    if (schemaPath.startsWith(prefix)) return schemaPath.slice(prefix.length).split("/")[0] ?? "";
    // Behind a reference, the path begins anew. Several alternatives may contain the schema; the tag tells which
    // one is meant.
    const places = alternatives.flatMap((alternative, place) =>
      schemasIn(alternative).has(parentSchema) ? [place] : [],
    );
    return String(places.find((place) => !isForOther.has(place)) ?? places[0]);
  };
  return [...Map.groupBy(errors, branchOf).values()];
}

const placeOf = (schema: unknown, alternatives: readonly JsonSchema[]): number =>
  alternatives.findIndex((alternative) => schemasIn(alternative).has(schema));

const isTypeMismatch = ({ keyword, instancePath }: Violation, choice: Violation): boolean =>
  keyword === "type" && instancePath === choice.instancePath;

const single = <Item>(items: readonly Item[]): Item | undefined =>
  items.length === 1 ? items[0] : undefined;

/** Whether a finding says that the value lacks members of an alternative or has unknown ones. */
const isForeign =
  (choice: Violation) =>
  ({ keyword, instancePath }: Violation): boolean =>
    instancePath === choice.instancePath &&
    (keyword === "required" || keyword === "additionalProperties");

/** The member that an alternative requires, if this is its only problem. */
function lackOf(errors: readonly Violation[], { instancePath }: Violation): unknown {
  const error = single(errors);
  const lacks = error?.keyword === "required" && error.instancePath === instancePath;
  return lacks ? error.member : undefined;
}

/** Whether a finding says that the naming member names another alternative. */
const isTag = ({ keyword, instancePath }: Violation, choice: Violation): boolean =>
  keyword === "const" && /^\/[^/]+$/.test(instancePath.slice(choice.instancePath.length));

function unknownTag(errors: readonly Violation[], choice: Violation): Summary | undefined {
  const tags = errors.filter((error) => isTag(error, choice));
  const [first] = tags;
  if (first === undefined) return undefined;
  const allowed = tags.map(({ schema }) => schema);
  return { instancePath: first.instancePath, message: expectedOneOf(allowed, first.data) };
}
