import type { Direction } from "../change.ts";
import { objectsOf, shown, type Json, type JsonObject } from "../json.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import { isSchema } from "../schema/own-keywords.ts";
import { accepts, type Schemas } from "../schema/accepts.ts";
import { partName, type OperationSite } from "./comparison.ts";

/**
 * Example requests of the base must still be valid, and example responses of the revision must be
 * valid in the base.
 */
export function compareExamples(
  site: OperationSite,
  part: Direction,
  words: string,
  base: JsonObject,
  revision: JsonObject,
): void {
  const isRequest = site.directionOf(part) === "request";
  const { base: before, revision: after } = site.schemas;
  const [from, to] = isRequest ? [before, after] : [after, before];
  const [shownIn, judgedBy] = isRequest ? [base, revision] : [revision, base];
  const examples = examplesOf(from.document, shownIn);
  if (examples.length === 0) return;
  const [own, other] = [shownIn["schema"], judgedBy["schema"]];
  if (!isSchema(own) || !isSchema(other)) return;
  if (site.schemas.isSame(own, other)) return;
  // Clients ignore unknown members of a response.
  const access = isRequest ? "readOnly" : "writeOnly";
  const lenient: Schemas = {
    canonical: (schema) => to.canonical(schema),
    step: () => to.step(),
    ignoresUnknown: !isRequest,
    mayLack: (member) => to.outer(member).some((node) => node[access] === true),
  };
  for (const [name, value] of examples) {
    // An example that is invalid in its own document is ignored.
    if (!allows(from, own, value) || allows(lenient, other, value)) continue;
    site.report(
      "example-no-longer-holds",
      part,
      isRequest
        ? `the example ${name} of ${words} is no longer valid: ${shown(value)}`
        : `the new example ${name} of ${words} was not valid before: ${shown(value)}`,
      { base, revision, part: partName(words) },
    );
  }
}

const allows = (schemas: Schemas, schema: JsonObject | boolean, value: Json): boolean =>
  accepts(schemas, schemas.canonical([schema]), value);

function examplesOf(
  document: LoadedDocument,
  media: JsonObject,
): readonly (readonly [string, Json])[] {
  const named = objectsOf(media["examples"]).flatMap(([name, node]) => {
    const example = document.resolve(node);
    return example["value"] === undefined ? [] : [[name, example["value"]] as const];
  });
  const { example } = media;
  return example === undefined ? named : [["", example] as const, ...named];
}
