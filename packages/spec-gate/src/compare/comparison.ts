import type { Direction, Sides, Verdict } from "../change.ts";
import type { Findings, Node } from "../findings.ts";
import type { Json } from "../json.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import type { RuleId } from "../rules/rules.ts";
import type { SchemaComparison } from "../schema/compare/compare-schemas.ts";

/** The shared context of all comparers. */
export interface Comparison {
  readonly base: LoadedDocument;
  readonly revision: LoadedDocument;
  readonly schemas: SchemaComparison;
  readonly findings: Findings;
  readonly today: Date;
  /** Both documents have the same components, so a shared object means the same in both. */
  readonly isShared: boolean;
}

/** An operation under comparison. In callbacks and webhooks the server sends the request. */
export interface OperationSite extends Comparison {
  readonly node: Node;
  readonly isReversed: boolean;
  report(
    rule: RuleId,
    part: Direction,
    message: string,
    at: {
      readonly base?: object | undefined;
      readonly revision?: object | undefined;
      /** Where the nodes do not show the change. */
      readonly values?: Partial<Sides<Json>>;
    },
    verdict?: Verdict,
  ): void;
  /** The node of a part of the operation, such as `response 200`. */
  partOf(name: string): Node;
  directionOf(part: Direction): Direction;
}

/** `the body of 200` → `response 200`. */
export const partName = (words: string): string =>
  words.replace(/^the body of (?:the )?/, "response ").replace(/^the /, "");

export function operationSite(
  comparison: Comparison,
  node: Node,
  isReversed: boolean,
  operations: { readonly base?: object; readonly revision?: object } = {},
): OperationSite {
  const directionOf = (part: Direction): Direction => {
    if (!isReversed) return part;
    return part === "request" ? "response" : "request";
  };
  return {
    ...comparison,
    node,
    isReversed,
    directionOf,
    partOf: (name) => node.partOf(name),
    report(rule, part, message, { base, revision, values }, verdict) {
      const before = base && comparison.base.pointer(base);
      const after = revision && comparison.revision.pointer(revision);
      const pointer = after ?? before ?? "#";
      const own = {
        base: operations.base && comparison.base.pointer(operations.base),
        revision: operations.revision && comparison.revision.pointer(operations.revision),
      };
      comparison.findings.report(node, {
        rule,
        direction: directionOf(part),
        pointer,
        document: revision === undefined && base !== undefined ? "base" : "revision",
        pointers: {
          base: before ?? own.base ?? pointer,
          revision: after ?? own.revision ?? pointer,
        },
        message,
        ...(verdict === undefined ? {} : { verdict }),
        ...(values === undefined ? {} : { values }),
      });
    },
  };
}
