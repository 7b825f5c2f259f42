import { isMap, isScalar, isSeq, type Node } from "yaml";
import type { Positions } from "./line-of.ts";

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
