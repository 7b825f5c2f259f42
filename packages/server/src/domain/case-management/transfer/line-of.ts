/**
 * The lines of all values of a text, in the order in which `JSON.stringify` visits them. They pass from
 * thread to thread as plain memory, unlike the nodes of the parser.
 */
export interface Positions {
  /** The line of each value. */
  readonly lines: Uint32Array;
  /** Number of values that each value consists of, including itself. */
  readonly sizes: Uint32Array;
}

/** The line of the value at a path; of a missing one, that of its parent. */
export function lineOf(
  { lines, sizes }: Positions,
  content: unknown,
  path: readonly (string | number)[],
): number {
  let [index, value] = [0, content];
  for (const step of path) {
    if (typeof value !== "object" || value === null) break;
    const place = Array.isArray(value) ? Number(step) : Object.keys(value).indexOf(String(step));
    const values: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (!(place >= 0 && place < values.length)) break;
    index += 1;
    for (let before = 0; before < place; before += 1) index += sizes[index] ?? 1;
    value = values[place];
  }
  return lines[index] ?? 1;
}
