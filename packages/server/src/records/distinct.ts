import { errors, type Problem } from "../foundation/errors.ts";

/**
 * Throws 400 if a request changes a record twice. The error names the second change. `noun`: the word for the
 * record in messages.
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
