import type { Change, Direction, Finding, Verdict } from "./change.ts";
import { affectedBy, verdictOf } from "./rules/rule.ts";
import { ruleOf, type RuleId } from "./rules/rules.ts";

/** A pair of schemas, or an operation, to which changes belong. */
export class Node {
  readonly parents = new Set<Node>();
  /** `METHOD path`, where the node is an operation. */
  readonly operation: string | undefined;

  constructor(operation?: string) {
    this.operation = operation;
  }
}

export interface Report {
  readonly rule: RuleId;
  readonly direction: Direction;
  readonly pointer: string;
  readonly document: "base" | "revision";
  readonly message: string;
  /** Replaces the verdict of the rule. */
  readonly verdict?: Verdict;
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
  readonly #operations = new Map<Node, readonly string[]>();

  report(node: Node, report: Report): void {
    const { rule, direction, pointer, message } = report;
    const key = JSON.stringify([rule, direction, pointer, message]);
    const entry = this.#entries.get(key);
    if (entry === undefined) this.#entries.set(key, { ...report, nodes: new Set([node]) });
    else entry.nodes.add(node);
  }

  all(): readonly Finding[] {
    return [...this.#entries.values()].map((entry) => this.#finding(entry));
  }

  #finding(entry: Entry): Finding {
    const { rule, direction, pointer, document, nodes, message } = entry;
    const verdict = entry.verdict ?? verdictOf(ruleOf(rule), direction);
    const operations = [...new Set([...nodes].flatMap((node) => this.#reached(node)))];
    const [first] = operations;
    const others = operations.length - 1;
    const more = others < 1 ? "" : ` (and in ${others} other operation${others === 1 ? "" : "s"})`;
    const change: Change = {
      rule,
      verdict,
      direction,
      place: first === undefined ? pointer : `${first} ${pointer}`,
      message: `${message}${more}`,
      affects: affectedBy(verdict, direction),
    };
    return { ...change, operations, pointer, document };
  }

  #reached(node: Node): readonly string[] {
    const cachedOperations = this.#operations.get(node);
    if (cachedOperations !== undefined) return cachedOperations;
    const nodes = new Set<Node>([node]);
    const operations: string[] = [];
    for (const each of nodes) {
      if (each.operation !== undefined) operations.push(each.operation);
      for (const parent of each.parents) nodes.add(parent);
    }
    this.#operations.set(node, operations);
    return operations;
  }
}
