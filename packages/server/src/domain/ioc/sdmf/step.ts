import type { Predicate } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import { mostProblems, type Problem } from "../../../foundation/errors.ts";
import type { Execution, SourceName } from "./execution.ts";
import type { Frame, Rows } from "./frame.ts";

export type SdmfNode = components["schemas"]["SdmfNode"];
export type Operator<Type extends SdmfNode["operator"]["type"]> = Extract<
  SdmfNode["operator"],
  { readonly type: Type }
>;

/** A checked node: the columns of its rows, and the function that produces the rows. */
export interface Step {
  readonly frame: Frame;
  rows(execution: Execution): Rows;
  /** The query for the store, if the step is a source with the filters after it. */
  readonly scan?: { readonly source: SourceName; readonly predicate: Predicate };
  /** Returns a step that produces only the first rows, if that is cheaper than all rows. */
  first?(count: number): Step;
}

/** One node of the request, with its place and its problems. */
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

  /** Prefix of the node's columns for names that occur on both sides of a join. */
  get alias(): string {
    return this.node.alias ?? this.node.res_id;
  }

  /**
   * Reports a problem. Returns null, so that a caller can report and return in one statement. A message that costs
   * time is a function, which is called only for problems that the answer lists.
   */
  report(member: string, message: string | (() => string)): null {
    const isListed = this.#problems.length < mostProblems;
    const text = typeof message === "string" ? message : isListed ? message() : "";
    this.#problems.push({
      at: `${this.at}.${member}`,
      message: `node ${this.node.id}: ${text}`,
    });
    return null;
  }

  /** Index of a column in a frame. For an unknown column, reports a problem and returns null. */
  column(frame: Frame, name: string, member: string): number | null {
    return frame.place(name) ?? this.report(member, () => frame.unknown(name));
  }
}
