import {
  isLarger,
  type Change,
  type Direction,
  type Finding,
  type Part,
  type Sides,
  type Verdict,
} from "./change.ts";
import type { Json } from "./json.ts";
import { affectedBy, verdictOf } from "./rules/rule.ts";
import { ruleOf, type RuleId } from "./rules/rules.ts";

/** A pair of schemas, an operation or a part of one, to which changes belong. */
export class Node {
  readonly parents = new Set<Node>();
  /** `METHOD path`, where the node is an operation. */
  readonly operation: string | undefined;
  /** Such as `response 200`, where the node is a part of an operation. */
  readonly part: string | undefined;
  readonly #parts = new Map<string, Node>();

  constructor(operation?: string, part?: string) {
    this.operation = operation;
    this.part = part;
  }

  /** The part of this name. */
  partOf(name: string): Node {
    const part = this.#parts.get(name) ?? new Node(this.operation, name);
    this.#parts.set(name, part);
    return part;
  }
}

export interface Report {
  readonly rule: RuleId;
  readonly direction: Direction;
  readonly pointer: string;
  readonly document: "base" | "revision";
  readonly pointers: Sides<string>;
  readonly message: string;
  /** Replaces the verdict of the rule. */
  readonly verdict?: Verdict;
  /** The old and the new value, where those at the pointers do not show the change. */
  readonly values?: Partial<Sides<Json>>;
}

interface Entry extends Report {
  readonly nodes: Set<Node>;
}

/**
 * The changes of a comparison. A schema that many operations share is compared once. Afterwards a
 * containment graph gives the operations that each change affects.
 */
export class Findings {
  readonly #entries = new Map<string, Entry>();
  readonly #reachedParts = new Map<Node, readonly Reached[]>();

  report(node: Node, report: Report): void {
    const { rule, direction, pointer, message } = report;
    const key = JSON.stringify([rule, direction, pointer, message]);
    const entry = this.#entries.get(key);
    if (entry === undefined) this.#entries.set(key, { ...report, nodes: new Set([node]) });
    else entry.nodes.add(node);
  }

  all(): readonly Finding[] {
    const entries = withoutCascade([...this.#entries.values()]);
    return entries.map((entry) => this.#finding(entry));
  }

  #finding(entry: Entry): Finding {
    const { rule, direction, pointer, document, pointers, nodes, message, values } = entry;
    const verdict = verdictOfEntry(entry);
    const reached = [...nodes].flatMap((node) => this.#reached(node));
    const operations = [...new Set(reached.map(({ operation }) => operation))];
    const [first] = operations;
    const change: Change = {
      rule,
      verdict,
      direction,
      place: first === undefined ? pointer : `${first} ${pointer}`,
      message,
      affects: affectedBy(verdict, direction),
    };
    const parts = reached.map(({ operation, part }): Part => ({
      operation,
      name: part ?? partAt(pointer, direction),
    }));
    return {
      ...change,
      operations,
      pointer,
      document,
      pointers,
      parts: distinct(parts),
      ...(values === undefined ? {} : { values }),
    };
  }

  /** The operations with the parts that contain a node. */
  #reached(node: Node): readonly Reached[] {
    const cached = this.#reachedParts.get(node);
    if (cached !== undefined) return cached;
    const nodes = new Set<Node>([node]);
    const reached: Reached[] = [];
    for (const { operation, part, parents } of nodes) {
      if (operation !== undefined) reached.push({ operation, part });
      for (const parent of parents) nodes.add(parent);
    }
    this.#reachedParts.set(node, reached);
    return reached;
  }
}

interface Reached {
  readonly operation: string;
  readonly part: string | undefined;
}

const distinct = (parts: readonly Part[]): readonly Part[] => [
  ...new Map(parts.map((part) => [`${part.operation} ${part.name}`, part])).values(),
];

/** The part of an operation that a pointer leads into. */
function partAt(pointer: string, direction: Direction): string {
  const [, status] = /\/responses\/([^/]+)/.exec(pointer) ?? [];
  if (status !== undefined) return `response ${status}`;
  return /\/parameters\//.test(pointer) ? "parameters" : direction;
}

const verdictOfEntry = ({ rule, direction, verdict }: Report): Verdict =>
  verdict ?? verdictOf(ruleOf(rule), direction);

const typeRules: ReadonlySet<RuleId> = new Set(["type-changed", "type-narrowed", "type-widened"]);

/**
 * Leaves out what only follows from a change of type at the same place: whoever mends the type looks
 * at the whole schema anyway. A change that is worse than that of the type stays.
 */
function withoutCascade(entries: readonly Entry[]): readonly Entry[] {
  const placeOf = ({ direction, pointers }: Entry): string =>
    JSON.stringify([direction, pointers.base, pointers.revision]);
  const causes = new Map(
    entries.filter(({ rule }) => typeRules.has(rule)).map((entry) => [placeOf(entry), entry]),
  );
  return entries.filter((entry) => {
    const cause = causes.get(placeOf(entry));
    return (
      cause === undefined ||
      typeRules.has(entry.rule) ||
      isLarger(verdictOfEntry(entry), verdictOfEntry(cause))
    );
  });
}
