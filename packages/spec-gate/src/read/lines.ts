import { EVENT_ID, getScalarValue, parseEvents } from "js-yaml";
import { tokensOf } from "./pointer.ts";

interface PointerTree {
  readonly children: Map<string, PointerTree>;
  readonly pointers: string[];
}

/** A position in a text, counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * The positions of places in a JSON or YAML text. A place that does not exist has the position of
 * its nearest existing parent.
 */
export function positionsOf(
  text: string,
  pointers: readonly string[],
): ReadonlyMap<string, Position> {
  const root = tree(pointers);
  const offsets = new Map<string, number>();
  const note = (node: PointerTree | undefined, offset: number): void => {
    if (node === undefined) return;
    for (const pointer of node.pointers) offsets.set(pointer, offset);
    for (const child of node.children.values()) note(child, offset);
  };
  note(root, 0);
  const open: {
    node: PointerTree | undefined;
    isMap: boolean;
    key: string | undefined;
    index: number;
  }[] = [];
  for (const event of parseEvents(text, { maxDepth: 2_000 })) {
    if (event.type === EVENT_ID.DOCUMENT) continue;
    if (event.type === EVENT_ID.POP) {
      open.pop();
      continue;
    }
    const parent = open.at(-1);
    const isScalar = event.type === EVENT_ID.SCALAR;
    if (parent?.isMap === true && parent.key === undefined && isScalar) {
      parent.key = getScalarValue(text, event);
      note(parent.node?.children.get(parent.key), event.valueStart);
      continue;
    }
    let node: PointerTree | undefined = parent === undefined ? root : undefined;
    if (parent?.isMap === true) {
      node = parent.node?.children.get(parent.key ?? "");
      parent.key = undefined;
    } else if (parent !== undefined) {
      node = parent.node?.children.get(String(parent.index++));
      const start = isScalar ? event.valueStart : "start" in event ? event.start : undefined;
      if (start !== undefined) note(node, start);
    }
    const isMap = event.type === EVENT_ID.MAPPING;
    if (isMap || event.type === EVENT_ID.SEQUENCE) {
      open.push({ node, isMap, key: undefined, index: 0 });
    }
  }
  return positionsAt(text, offsets);
}

function tree(pointers: readonly string[]): PointerTree {
  const root: PointerTree = { children: new Map(), pointers: [] };
  for (const pointer of pointers) {
    let current = root;
    for (const token of tokensOf(pointer.replace(/^[^#]*#/, "")) ?? []) {
      const next = current.children.get(token) ?? { children: new Map(), pointers: [] };
      current.children.set(token, next);
      current = next;
    }
    current.pointers.push(pointer);
  }
  return root;
}

function positionsAt(
  text: string,
  offsets: ReadonlyMap<string, number>,
): ReadonlyMap<string, Position> {
  const positions = new Map<string, Position>();
  let line = 1;
  let at = 0;
  for (const [pointer, offset] of [...offsets].toSorted(([, left], [, right]) => left - right)) {
    for (let next = text.indexOf("\n", at); next >= 0 && next < offset;) {
      line++;
      at = next + 1;
      next = text.indexOf("\n", at);
    }
    positions.set(pointer, { line, column: offset - at + 1 });
  }
  return positions;
}
