import { errors, type Problem } from "../errors.ts";

/**
 * Two changes to one record in a request contradict each other or could be one: 400 names the second.
 * `noun` is what the record is called in messages.
 */
export function refuseRepeated(
  items: readonly { readonly id: string; readonly at: string }[],
  noun: string,
): void {
  const places = new Map<string, string>();
  const problems: Problem[] = [];
  for (const { id, at } of items) {
    const first = places.get(id);
    if (first === undefined) places.set(id, at);
    else {
      const message = `is the ${noun} of ${first} already; send its changes together`;
      problems.push({ at: `${at}.id`, id, message });
    }
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
}
