import { isMap, isScalar, isSeq, type Node } from "yaml";

/**
 * The lines of all values of a text, in the order in which `JSON.stringify` visits them. They pass from
 * thread to thread as plain memory, unlike the nodes of the parser.
 */
export interface Positions {
  /** The line of each value. */
  readonly lines: Uint32Array;
  /** How many values each value consists of, itself included. */
  readonly sizes: Uint32Array;
}

/** The positions of `content`, which `node` stands for. `lineAt`: the line of an offset. */
export function positionsOf(
  node: unknown,
  content: unknown,
  lineAt: (offset: number) => number,
): Positions {
  const [lines, sizes]: [number[], number[]] = [[], []];
  const visit = (at: unknown, value: unknown, parentLine: number): void => {
    const index = lines.length;
    const offset = (at as Node | null | undefined)?.range?.[0];
    const line = offset === undefined ? parentLine : lineAt(offset);
    lines.push(line);
    sizes.push(0);
    if (Array.isArray(value)) {
      const items = isSeq(at) ? at.items : [];
      for (const [number, item] of value.entries()) visit(items[number], item, line);
    } else if (typeof value === "object" && value !== null) {
      const members = membersOf(at);
      for (const [name, member] of Object.entries(value)) visit(members.get(name), member, line);
    }
    sizes[index] = lines.length - index;
  };
  visit(node, content, 1);
  return { lines: Uint32Array.from(lines), sizes: Uint32Array.from(sizes) };
}

const membersOf = (node: unknown): ReadonlyMap<string, unknown> =>
  new Map(
    isMap(node)
      ? node.items.flatMap(({ key, value }) =>
          isScalar(key) ? [[String(key.value), value] as const] : [],
        )
      : [],
  );

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
