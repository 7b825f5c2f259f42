import type { Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import {
  isObject,
  listIn,
  objectIn,
  report,
  type Specification,
  type Spot,
} from "../specification.ts";
import { references, schemas } from "../walk.ts";

/**
 * Finds two valid constructs that generators of other languages drop, with everything that refers to them:
 * a union that contains itself through an object without a name, and a map whose values are objects without
 * a name.
 */
export const generatedTypes: Rule = {
  name: "generated-types",
  *check(specification) {
    for (const spot of schemas(specification)) {
      if (objectIn(spot.value, "additionalProperties")["type"] === "object") {
        yield report(spot, "a map of objects without a name", "a $ref to a schema of their own");
      }
      for (const keyword of ["anyOf", "oneOf"]) {
        for (const [index, alternative] of listIn(spot.value, keyword).entries()) {
          if (!leadsBack(specification, spot, alternative)) continue;
          const at = { file: spot.file, pointer: [...spot.pointer, keyword, index] };
          yield report(
            at,
            "an object without a name in a union that it refers to",
            "a $ref to a schema of its own",
          );
        }
      }
    }
  },
};

/** Whether the values of an unnamed map are, or contain, the schema of the file. */
function leadsBack(specification: Specification, { file }: Spot, alternative: unknown): boolean {
  const values = isObject(alternative) ? objectIn(alternative, "additionalProperties") : {};
  const reference = values["$ref"];
  const target = typeof reference === "string" ? specification.target(file, reference) : undefined;
  return target !== undefined && reaches(specification, target, file, new Set());
}

function reaches(
  specification: Specification,
  from: SourceFile,
  file: SourceFile,
  seen: Set<SourceFile>,
): boolean {
  if (from === file) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return [...references(from)].some(({ reference }) => {
    const target = specification.target(from, reference);
    return target !== undefined && reaches(specification, target, file, seen);
  });
}
