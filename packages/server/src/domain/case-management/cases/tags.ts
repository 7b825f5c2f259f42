import type { Problem } from "../../../foundation/errors.ts";

/** Maximum number of characters of all tags of a case together. */
const mostCharacters = 128;

export function tagProblems(tags: readonly string[], at: string): readonly Problem[] {
  const characters = tags.reduce((sum, tag) => sum + Array.from(tag).length, 0);
  if (characters <= mostCharacters) return [];
  const message = `the tags of the case would have ${characters} characters in total; at most ${mostCharacters} are allowed`;
  return [{ at, message }];
}

export const withTags = (tags: readonly string[], more: readonly string[]): string[] => [
  ...new Set([...tags, ...more]),
];
