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

/** A node that has been checked: the columns of its rows, and how to make them. */
export interface Step {
  readonly frame: Frame;
  rows(execution: Execution): Rows;
  /** A filter right behind a source is asked of the store. */
  readonly scan?: { readonly source: SourceName; readonly predicate: Predicate };
  /** The first rows only, where that is cheaper than all of them. */
  first?(count: number): Step;
}

/** One node of the request: where it stands, and where to report what is wrong with it. */
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

  /** Begins the names of the node's columns where a join has two of one name. */
  get alias(): string {
    return this.node.alias ?? this.node.res_id;
  }

  /** Returns null, so that a reader can report and give up in one expression. */
  report(member: string, message: string): null {
    this.#problems.push({
      at: `${this.at}.${member}`,
      message: `node ${this.node.id}: ${message}`,
    });
    return null;
  }

  /** Place of a column in a frame; null when reported as unknown. */
  column(frame: Frame, name: string, member: string): number | null {
    return frame.place(name) ?? this.report(member, frame.unknown(name));
  }
}
