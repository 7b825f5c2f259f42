import { defined } from "../../records/defined.ts";
import { newIdentifier } from "../../foundation/identifiers.ts";
import type { components } from "@security-platform/spec";
import type { Problem } from "../../foundation/errors.ts";
import type { Author } from "../../records/write.ts";
import { expressionNames, inOrder, ownExpressions, type Exclusion } from "./exclusions.ts";
import { checkExpression } from "./expression/check.ts";
import { patternName } from "./patterns.ts";

type Schemas = components["schemas"];
export type ExclusionInput = Schemas["SsIoaExclusionInput"];
export type ExclusionChanges = Omit<Schemas["SsIoaExclusionUpdateInput"], "id">;

/** The place of an exclusion in the request, and the member that lists its host groups. */
export interface Place {
  readonly at: string;
  readonly groups: "groups" | "host_groups";
}

const everyHost = "all";

/** All problems of an exclusion's input that do not depend on the stored exclusion. */
export function inputProblems(
  input: ExclusionInput | ExclusionChanges,
  { at, groups }: Place,
): readonly Problem[] {
  const problems: Problem[] = [];
  for (const name of expressionNames) {
    const text = input[name];
    if (text === undefined || text === null || text === "") continue;
    const checked = checkExpression(text);
    if ("problem" in checked) problems.push({ at: `${at}.${name}`, message: checked.problem });
  }
  const { host_groups = [] } = input;
  if (host_groups.includes(everyHost) && host_groups.length > 1) {
    const message = `${everyHost} stands for every host and must be the only entry`;
    problems.push({ at: `${at}.${groups}`, message });
  }
  return problems;
}

/** Problems of an exclusion that would disable its pattern completely. */
export function breadthProblems(exclusion: Exclusion, { at }: Place): readonly Problem[] {
  const narrow = ownExpressions.some((name) => {
    const checked = checkExpression(exclusion[name]);
    return !("broad" in checked && checked.broad);
  });
  if (narrow) return [];
  const message =
    "ifn_regex and cl_regex both match anything, which would disable the pattern; one of them must be narrower than .*";
  return [{ at, message }];
}

/** Builds a new exclusion from valid input. */
export function newExclusion(input: ExclusionInput, { actor, now }: Author): Exclusion {
  const written = now.toISOString();
  return inOrder({
    ...cleared(input),
    id: newIdentifier(),
    name: input.name,
    pattern_id: input.pattern_id,
    pattern_name: patternName(input.pattern_id) ?? nonEmpty(input.pattern_name) ?? input.pattern_id,
    ifn_regex: input.ifn_regex,
    cl_regex: input.cl_regex,
    ...hostsOf(input.host_groups ?? []),
    created_on: written,
    created_by: actor,
    last_modified: written,
    modified_by: actor,
  });
}

/** Applies valid changes to an exclusion. Absent members stay unchanged. */
export function changedExclusion(
  exclusion: Exclusion,
  changes: ExclusionChanges,
  { actor, now }: Author,
): Exclusion {
  const { name, pattern_id, ifn_regex, cl_regex, host_groups } = changes;
  return inOrder({
    ...exclusion,
    ...cleared(changes),
    ...defined({ name, pattern_id, ifn_regex, cl_regex }),
    pattern_name: changedPatternName(exclusion, changes),
    ...(host_groups === undefined ? {} : hostsOf(host_groups)),
    last_modified: now.toISOString(),
    modified_by: actor,
  });
}

/** A custom pattern name belongs to its pattern and is removed when the pattern changes. */
function changedPatternName(
  exclusion: Exclusion,
  { pattern_id = exclusion.pattern_id, pattern_name }: ExclusionChanges,
): string {
  const storedName = pattern_id === exclusion.pattern_id ? exclusion.pattern_name : undefined;
  return patternName(pattern_id) ?? nonEmpty(pattern_name) ?? storedName ?? pattern_id;
}

type Clearable = Pick<
  ExclusionChanges,
  | "description"
  | "comment"
  | "parent_ifn_regex"
  | "parent_cl_regex"
  | "grandparent_ifn_regex"
  | "grandparent_cl_regex"
  | "detection_json"
>;

/** Optional members of the request. Empty and null clear a member. */
function cleared(input: Clearable): { readonly [Name in keyof Clearable]: string | undefined } {
  const { description, comment, detection_json } = input;
  const { parent_ifn_regex, parent_cl_regex } = input;
  const { grandparent_ifn_regex, grandparent_cl_regex } = input;
  const members = {
    description,
    comment,
    detection_json,
    parent_ifn_regex,
    parent_cl_regex,
    grandparent_ifn_regex,
    grandparent_cl_regex,
  };
  return Object.fromEntries(
    Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, nonEmpty(value)]),
  );
}

const nonEmpty = (text: string | null | undefined): string | undefined =>
  text === null || text === "" ? undefined : text;

const hostsOf = (groups: readonly string[]): Pick<Exclusion, "host_groups" | "applied_globally"> =>
  groups.includes(everyHost)
    ? { host_groups: [], applied_globally: true }
    : { host_groups: [...groups], applied_globally: false };
