import { schemaValidator } from "../http/validate/schema-validator.ts";
import type { Importer, ReadLine } from "./kind.ts";

/** Reads NDJSON lines of one kind: text, JSON, schema, and what the kind asks beyond it. */
export function lineReader<Line, Record extends object>(
  importer: Importer<Line, Record>,
): (text: string, now: Date) => ReadLine<Record> {
  const validate = schemaValidator(importer.schema, "");
  return (text, now) => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      return { problems: [{ at: "", message: `not valid JSON: ${(error as Error).message}` }] };
    }
    const problems = validate(value);
    return problems.length > 0
      ? { problems: problems.map(({ at, message }) => ({ at: at.replace(/^\./, ""), message })) }
      : importer.read(value as Line, now);
  };
}
