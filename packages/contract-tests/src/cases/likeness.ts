import type { Subject } from "../recipes/recipe.ts";
import type { Answer } from "../target/answer.ts";

/**
 * Headers that differ between any two responses. The length depends on the digits of `query_time`.
 */
const momentary: ReadonlySet<string> = new Set([
  "content-length",
  "date",
  "x-trace-id",
  "x-ratelimit-remaining",
  "keep-alive",
]);

const shortestName = 4;

/**
 * A response without the identifiers of its subject. Two responses for different subjects have
 * equal likenesses if they differ in nothing else.
 */
export function likeness(answer: Answer, subject: Subject): string {
  const documented = documentedHeaders(answer);
  const headers = Object.entries(answer.headers)
    .filter(([name]) => !momentary.has(name))
    // Headers of a gateway may have any value: compare only their names.
    .map(([name, value]) => (documented.has(name) ? `${name}: ${value}` : name))
    .toSorted();
  const text = [String(answer.status), ...headers, "", answer.text].join("\n");
  const named = namesIn(subject, answer).reduce(
    (current, [name, placeholder]) => current.replaceAll(name, placeholder),
    text,
  );
  return withoutInstants(
    named.replaceAll(/"(trace_id|query_time)": ?("[^"]*"|[\d.e+-]+)/g, '"$1":0'),
  );
}

const documentedHeaders = ({ operation, status }: Answer): ReadonlySet<string> => {
  const response = operation.responses.find((each) => each.status === status);
  const names = Object.keys(response?.headers ?? {}).map((name) => name.toLowerCase());
  return new Set([...names, "content-type"]);
};

/** The text with every date and time of day replaced. */
export const withoutInstants = (text: string): string =>
  text.replaceAll(/\b\d{4}-?\d\d-?\d\d([T_-]?\d\d[:-]?\d\d[:-]?\d\d(\.\d+)?Z?)?\b/g, "<instant>");

/** The texts of the subject's records in the request, by place; the longest first. */
function namesIn(
  { namespace, records }: Subject,
  { request }: Answer,
): readonly (readonly [string, string])[] {
  const sent = `${decodeURIComponent(request.url.replaceAll("+", " "))} ${request.body ?? ""}`;
  const names = new Map<string, string>([[namespace, "<namespace>"]]);
  const collect = (value: unknown, place: string): void => {
    if (typeof value === "string") {
      const isSent = value.length >= shortestName && sent.includes(value);
      if (isSent && !names.has(value)) names.set(value, `<${place}>`);
    } else if (value !== null && typeof value === "object") {
      for (const [name, inner] of Object.entries(value)) collect(inner, `${place}.${name}`);
    }
  };
  for (const [index, record] of records.entries()) collect(record, String(index));
  return [...names].toSorted(([left], [right]) => right.length - left.length);
}
