import type { Subject } from "../recipes/recipe.ts";
import type { Answer } from "../target/answer.ts";

/** Headers that differ between any two answers; the length follows the digits of `query_time`. */
const momentary: ReadonlySet<string> = new Set([
  "content-length",
  "date",
  "x-trace-id",
  "x-ratelimit-remaining",
  "keep-alive",
]);

const shortestName = 8;

/**
 * An answer without what tells two requests about different subjects apart: when all that differs is
 * which records were meant, the likenesses are equal.
 */
export function likeness(answer: Answer, subject: Subject): string {
  const headers = Object.entries(answer.headers)
    .filter(([name]) => !momentary.has(name))
    .map(([name, value]) => `${name}: ${value}`)
    .toSorted();
  const text = [String(answer.status), ...headers, "", answer.text].join("\n");
  const named = namesIn(subject).reduce(
    (current, [name, placeholder]) => current.replaceAll(name, placeholder),
    text,
  );
  return withoutInstants(
    named.replaceAll(/"(trace_id|query_time)": ?("[^"]*"|[\d.e+-]+)/g, '"$1":0'),
  );
}

/** The text with every date and time of day replaced. */
export const withoutInstants = (text: string): string =>
  text.replaceAll(/\b\d{4}-?\d\d-?\d\d([T_-]?\d\d[:-]?\d\d[:-]?\d\d(\.\d+)?Z?)?\b/g, "<instant>");

/** Every text of the subject's records by where it stands in them, the longest first. */
function namesIn({ namespace, records }: Subject): readonly (readonly [string, string])[] {
  const names = new Map<string, string>([[namespace, "<namespace>"]]);
  const collect = (value: unknown, place: string): void => {
    if (typeof value === "string") {
      if (value.length >= shortestName && !names.has(value)) names.set(value, `<${place}>`);
    } else if (value !== null && typeof value === "object") {
      for (const [name, inner] of Object.entries(value)) collect(inner, `${place}.${name}`);
    }
  };
  for (const [index, record] of records.entries()) collect(record, String(index));
  return [...names].toSorted(([left], [right]) => right.length - left.length);
}
