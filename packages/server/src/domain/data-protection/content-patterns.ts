import { defined } from "../../records/defined.ts";
import { newIdentifier } from "../../foundation/identifiers.ts";
import type { RE2JS } from "re2js";
import type { components } from "@security-platform/spec";
import type { Problem } from "../../foundation/errors.ts";
import type { PlainKind, PlacedChange } from "../../records/plain/kind.ts";
import { compileExpression } from "../../expressions/compile.ts";
import { contentPatterns, type ContentPattern } from "./kinds.ts";
import { countMatches } from "./matches.ts";

type Schemas = components["schemas"];

/** Custom content patterns of the tenant. */
export const contentPatternRules: PlainKind<
  ContentPattern,
  Schemas["ContentPatternCreateRequest"],
  Schemas["ContentPatternUpdateRequest"]
> = {
  ...contentPatterns,
  make: (input, { cid, now }) => ({
    id: newIdentifier(),
    cid,
    name: input.name,
    description: input.description ?? "",
    type: "custom",
    category: input.category,
    region: input.region,
    regexes: input.regexes,
    min_match_threshold: input.min_match_threshold,
    example: input.example ?? "",
    deleted: false,
    created: now.toISOString(),
    last_updated: now.toISOString(),
  }),
  change: (pattern, changes, { now }) => {
    const { name, description, category, region, regexes, min_match_threshold, example } = changes;
    return {
      ...pattern,
      ...defined({ name, description, category, region, regexes, min_match_threshold, example }),
      last_updated: now.toISOString(),
    };
  },
  retire: (pattern, now) => ({ ...pattern, deleted: true, last_updated: now.toISOString() }),
  problems: patternProblems,
};

/** Problems of expressions that do not compile, and of an example that does not match. */
export function patternProblems({
  at,
  after,
}: Pick<PlacedChange<ContentPattern>, "after" | "at">): readonly Problem[] {
  const problems: Problem[] = [];
  const programs: RE2JS[] = [];
  for (const [index, text] of after.regexes.entries()) {
    const compiled = compileExpression(text);
    if ("program" in compiled) programs.push(compiled.program);
    else problems.push({ at: `${at}.regexes[${index}]`, message: compiled.problem });
  }
  const { example, min_match_threshold: needed } = after;
  if (problems.length > 0 || example === "") return problems;
  const matchCount = countMatches(programs, example, needed);
  if (matchCount === null) {
    const message = "matching the example takes too long; make the expressions more specific";
    return [{ at: `${at}.regexes`, message }];
  }
  if (matchCount >= needed) return [];
  const message = `regexes match ${matchCount} times; min_match_threshold requires ${needed}`;
  return [{ at: `${at}.example`, message }];
}
