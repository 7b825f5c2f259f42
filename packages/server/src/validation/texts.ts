import { mostProblems, type Problem } from "../foundation/errors.ts";

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
export const unreadableTexts = (value: unknown, place: string): readonly Problem[] =>
  [...findUnreadableTexts(value, place)].filter((problem) => problem !== null);

/** Like `unreadableTexts`. Also yields a null after each item of a list, so that other work can run. */
export function* findUnreadableTexts(value: unknown, place: string): Iterable<Problem | null> {
  let reported = 0;
  for (const problem of visit(value, { name: place, above: null })) {
    yield problem;
    if (problem !== null) reported += 1;
    if (reported === mostProblems) return;
  }
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
function* visit(value: unknown, place: Place): Iterable<Problem | null> {
  if (typeof value === "string") {
    const message = textProblem(value);
    if (message !== undefined) yield { at: written(place), message };
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* visit(item, { name: index, above: place });
      yield null;
    }
  } else if (value !== null && typeof value === "object") {
    for (const [name, member] of Object.entries(value)) {
      const message = textProblem(name);
      if (message !== undefined) {
        yield { at: written(place), message: `the name of a member ${message}` };
      }
      yield* visit(member, { name, above: place });
    }
  }
}
