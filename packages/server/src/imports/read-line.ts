import { aliasRewriter } from "../validation/aliases.ts";
import { schemaValidator, type Schema } from "../validation/schema-validator.ts";
import type { Importer, Reading, ReadLine } from "./kind.ts";

/** A valid line and its record. */
export type Read<Line, Record> =
  | { readonly line: Line; readonly record: Record }
  | Extract<ReadLine<Record>, { readonly problems: unknown }>;

/** Reads an NDJSON line: checks the text, the JSON, the schema and the further rules of the kind. */
export function lineReader<Line, Record extends object>(
  importer: Importer<Line, Record>,
  schema: Schema,
): (text: string, about: Reading) => Read<Line, Record> {
  const validate = schemaValidator(schema, "");
  const rewriteAliases = aliasRewriter(schema);
  return (text, about) => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      return { problems: [{ at: "", message: `not valid JSON: ${(error as Error).message}` }] };
    }
    const problems = [...(rewriteAliases?.(value, "") ?? []), ...validate(value)];
    if (problems.length > 0) {
      return {
        problems: problems.map(({ at, message }) => ({ at: at.replace(/^\./, ""), message })),
      };
    }
    const line = value as Line;
    const result = importer.read(line, about);
    return "problems" in result ? result : { line, record: result.record };
  };
}
