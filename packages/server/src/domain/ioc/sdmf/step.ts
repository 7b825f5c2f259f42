import type { Predicate } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import type { Problem } from "../../../errors.ts";
import type { Execution, SourceName } from "./execution.ts";
import type { Frame, Rows } from "./frame.ts";

export type SdmfNode = components["schemas"]["SdmfNode"];
export type Operator<Type extends SdmfNode["operator"]["type"]> = Extract<
  SdmfNode["operator"],
  { readonly type: Type }
>;

/** A checked node: the columns of its rows, and how to produce the rows. */
export interface Step {
  readonly frame: Frame;
  rows(execution: Execution): Rows;
  /** For a source and the filters after it: the query that the store runs. */
  readonly scan?: { readonly source: SourceName; readonly predicate: Predicate };
  /** The first rows, where that is cheaper than all rows. */
  first?(count: number): Step;
}

/** One node of the request, its place there, and its problems. */
export class NodePlace {
  readonly node: SdmfNode;
  /** `body.nodes[2]`. */
  readonly at: string;
  readonly #problems: Problem[];

  constructor(node: SdmfNode, index: number, problems: Problem[]) {
    this.node = node;
    this.at = `body.nodes[${index}]`;
    this.#problems = problems;
  }

  /** Prefix of the node's columns where both sides of a join have one with the same name. */
  get alias(): string {
    return this.node.alias ?? this.node.res_id;
  }

  /** Returns null, so that a caller can report and return in one expression. */
  report(member: string, message: string): null {
    this.#problems.push({
      at: `${this.at}.${member}`,
      message: `node ${this.node.id}: ${message}`,
    });
    return null;
  }

  /** Index of a column in a frame; reports an unknown column and returns null. */
  column(frame: Frame, name: string, member: string): number | null {
    return frame.place(name) ?? this.report(member, frame.unknown(name));
  }
}
