import type { Rule } from "../rule.ts";
import { report, type Spot } from "../specification.ts";
import { references } from "../walk.ts";

/**
 * The kind of set to which a `$ref` directly in the map may refer. The bundler merges the members of both.
 */
const sets: Readonly<Record<string, string>> = {
  responses: "error-sets",
  headers: "header-sets",
};

/**
 * OpenAPI allows only a summary and a description next to a `$ref` outside schemas. Maps of responses and
 * of headers may also contain a `$ref` to a shared set; the bundle contains its members instead.
 */
export const referenceSiblings: Rule = {
  name: "reference-siblings",
  *check(specification) {
    const files = specification.ofKind(
      ...(["paths", "parameters", "headers", "responses", "header-sets", "error-sets"] as const),
    );
    for (const file of files) {
      for (const spot of references(file)) {
        if (spot.pointer.includes("schema")) continue;
        const target = specification.target(file, spot.reference);
        const set = setOf(spot);
        const kind = target?.kind ?? "other";
        if (set === undefined ? Object.values(sets).includes(kind) : kind !== set) {
          const expected = set === undefined ? "a component" : `a file of shared/${set}`;
          yield report(spot, `a reference to ${spot.reference}`, expected);
        }
        if (set !== undefined) continue;
        for (const sibling of Object.keys(spot.value)) {
          if (["$ref", "summary", "description"].includes(sibling)) continue;
          const at = { file, pointer: [...spot.pointer, sibling] };
          yield report(at, `${sibling} beside a $ref`, "only a summary and a description");
        }
      }
    }
  },
};

/**
 * The kind of set that a spot may refer to; undefined if it is not a map of responses or headers.
 */
function setOf({ file, pointer }: Spot): string | undefined {
  if (pointer.length === 0) return Object.values(sets).find((kind) => kind === file.kind);
  return sets[pointer.at(-1) ?? ""];
}
