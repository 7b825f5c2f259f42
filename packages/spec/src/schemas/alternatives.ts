import type { JsonSchema } from "../document.ts";
import { expectedOneOf, typeName } from "./expectation.ts";
import { shown } from "./shown.ts";
import type { Violation } from "./violation.ts";

/** A problem that summarises several findings, and its place. */
export interface Summary {
  readonly instancePath: string;
  readonly message: string;
}

export type Reported = Violation | Summary;

/** The schema and all schemas inside it, also behind references. */
export type SchemasIn = (schema: JsonSchema) => ReadonlySet<unknown>;

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
export function reportedOf(
  choice: Violation,
  inside: readonly Violation[],
  schemasIn: SchemasIn,
): readonly Reported[] {
  const members = decidingMembers(choice);
  if (members !== undefined) return [decidedBy(choice, members)];
  // Report only a type mismatch for alternatives of another type.
  const ofOtherType = new Set(
    inside.filter((error) => isTypeMismatch(error, choice)).map(({ parentSchema }) => parentSchema),
  );
  const meantByType = inside.filter(
    ({ instancePath, parentSchema }) =>
      instancePath !== choice.instancePath || !ofOtherType.has(parentSchema),
  );
  const branches = branchesOf(meantByType, choice, schemasIn);
  const tagged = branches.filter((errors) => !errors.some((error) => isTag(error, choice)));
  const only = single(tagged) ?? single(tagged.filter((errors) => !errors.some(isForeign(choice))));
  if (only !== undefined) return only;
  const lacking = tagged.map((errors) => lackOf(errors, choice));
  if (lacking.length > 0 && !lacking.includes(undefined)) {
    const message = `needs one of ${lacking.join(" and ")}`;
    return [{ instancePath: choice.instancePath, message }];
  }
  if (meantByType.length === 0 && ofOtherType.size > 0) return [otherType(choice, inside)];
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
  schemasIn: SchemasIn,
): readonly (readonly Violation[])[] {
  const alternatives = choice.schema as readonly JsonSchema[];
  const placeOf = (schema: unknown): number =>
    alternatives.findIndex((alternative) => schemasIn(alternative).has(schema));
  const isForOther = new Set(
    errors.filter((error) => isTag(error, choice)).map(({ parentSchema }) => placeOf(parentSchema)),
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
  // `Map.groupBy`, which Node.js 20 lacks.
  const branches = new Map<string, Violation[]>();
  for (const error of errors) {
    const name = branchOf(error);
    const branch = branches.get(name);
    if (branch === undefined) branches.set(name, [error]);
    else branch.push(error);
  }
  return [...branches.values()];
}

function otherType(choice: Violation, inside: readonly Violation[]): Summary {
  const types = inside
    .filter((error) => isTypeMismatch(error, choice))
    .flatMap(({ schema }) => schema as string | readonly string[]);
  const expected = typeName([...new Set(types)]);
  const { instancePath, data } = choice;
  return { instancePath, message: `expected ${expected}, got ${shown(data)}` };
}

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
