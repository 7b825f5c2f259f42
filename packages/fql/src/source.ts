/** Where a node stood. Offsets count UTF-16 code units, as `String` methods do. */
export interface Location {
  readonly text: string;
  readonly start: number;
  /** Of a condition: where its operator stands, or would. */
  readonly operator?: number;
}

// Beside the nodes, not in them: two filters that say the same are deeply equal.
const locations = new WeakMap<object, Location>();

/** Remembers where `node` stood, unless that is known already. Returns `node`. */
export function locate<Node extends object>(node: Node, location: Location): Node {
  if (!locations.has(node)) locations.set(node, location);
  return node;
}

/** Where a node of a parsed filter stood; undefined for a node built in code. */
export function locationOf(node: object): Location | undefined {
  return locations.get(node);
}

const before = 40;
const after = 30;

/** The text around `offset` on one line, and under it a caret. */
export function excerptAt(text: string, offset: number): string {
  const start = Math.max(0, offset - before);
  const end = Math.min(text.length, offset + after);
  const lead = start > 0 ? "…" : "";
  const tail = end < text.length ? "…" : "";
  const caret = " ".repeat(lead.length + offset - start) + "^";
  return `${lead}${printable(text.slice(start, end))}${tail}\n${caret}`;
}

/** Control characters, line breaks and lone surrogates replaced one for one. */
export function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (char) => "·".repeat(char.length));
}

/** Keeps what a caller sent from filling an error message. */
export function clip(text: string): string {
  return printable(text.length <= 60 ? text : `${text.slice(0, 60)}…`);
}
