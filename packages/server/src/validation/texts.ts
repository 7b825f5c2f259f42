import { mostProblems, type Problem } from "../errors.ts";

/**
 * Describes the problem of a text that the engines store differently: PostgreSQL cannot store U+0000, and
 * UTF-8 cannot encode half of a surrogate pair. Undefined for a valid text.
 */
export function textProblem(text: string): string | undefined {
  if (text.includes("\0")) return "contains the character U+0000, which no text may contain";
  if (text.isWellFormed()) return undefined;
  const half = /\p{Surrogate}/u.exec(text)?.[0].charCodeAt(0) ?? 0;
  return `contains half of a surrogate pair, \\u${half.toString(16)}; expected Unicode text`;
}

/** The unreadable texts of a JSON value, including member names. */
export function unreadableTexts(value: unknown, place: string): readonly Problem[] {
  const problems: Problem[] = [];
  visit(value, { name: place, above: null }, problems);
  return problems;
}

/** A place, written out only for a problem, because a value may have many places. */
interface Place {
  readonly name: string | number;
  readonly above: Place | null;
}

function written({ name, above }: Place): string {
  if (above === null) return String(name);
  return written(above) + (typeof name === "number" ? `[${name}]` : `.${name}`);
}

/** The parser of the text limits the depth of the value. */
function visit(value: unknown, place: Place, problems: Problem[]): void {
  if (typeof value === "string") {
    const message = textProblem(value);
    if (message !== undefined) problems.push({ at: written(place), message });
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length && problems.length < mostProblems; index += 1) {
      visit(value[index], { name: index, above: place }, problems);
    }
  } else if (value !== null && typeof value === "object") {
    for (const [name, member] of Object.entries(value)) {
      if (problems.length >= mostProblems) return;
      const message = textProblem(name);
      if (message !== undefined) {
        problems.push({ at: written(place), message: `the name of a member ${message}` });
      }
      visit(member, { name, above: place }, problems);
    }
  }
}
