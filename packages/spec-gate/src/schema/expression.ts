import { RE2JS, RE2JSException } from "re2js";

/** Longer patterns, and those with larger programs, are not evaluated. */
const longest = 2_000;
const mostSteps = 2_000;
/** The time of a match is the length of the text times the size of the program. */
const longestText = 100_000;

const compiled = new Map<string, RE2JS | undefined>();

/**
 * Whether a text contains a match of a pattern; undefined if that is not known. Patterns come from
 * strangers, and expressions of JavaScript can take exponential time. Those of RE2 take linear time,
 * but have no look-around and no back-references.
 */
export function matches(pattern: string, text: string): boolean | undefined {
  if (text.length > longestText) return undefined;
  return programOf(pattern)?.matcher(text).find();
}

/** Whether a pattern can be evaluated at all. */
export const isEvaluable = (pattern: string): boolean => programOf(pattern) !== undefined;

function programOf(pattern: string): RE2JS | undefined {
  if (!compiled.has(pattern)) compiled.set(pattern, compile(pattern));
  return compiled.get(pattern);
}

function compile(pattern: string): RE2JS | undefined {
  if (pattern.length > longest) return undefined;
  try {
    const program = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return program.programSize() > mostSteps ? undefined : program;
  } catch (error) {
    if (error instanceof RE2JSException) return undefined;
    throw error;
  }
}
