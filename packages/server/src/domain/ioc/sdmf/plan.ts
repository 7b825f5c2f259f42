import { nearest, where } from "@security-platform/fql";
import { errors, type Problem } from "../../../foundation/errors.ts";
import { filterStep } from "./filter.ts";
import { groupStep } from "./group.ts";
import { joinStep } from "./join.ts";
import { limitStep } from "./limit.ts";
import { projectStep } from "./project.ts";
import { sortStep } from "./sort.ts";
import { sourceStep } from "./source.ts";
import { NodePlace, type SdmfNode, type Step } from "./step.ts";

/** The names of the nodes that a node reads, each with the member of the request that contains it. */
function inputsOf({ operator }: SdmfNode): readonly (readonly [string, string])[] {
  switch (operator.type) {
    case "source":
      return [];
    case "join":
      return [
        ["operator.left", operator.left],
        ["operator.right", operator.right],
      ];
    default:
      return [["operator.input", operator.input]];
  }
}

/** The checked step of the node `result`. Throws a 400 with the problems of all nodes. */
export function planQuery(nodes: readonly SdmfNode[], result: string, now: Date): Step {
  const problems: Problem[] = [];
  const places = nodes.map((node, index) => new NodePlace(node, index, problems));
  const planner = new Planner(places, now);
  for (const place of places) planner.step(place);
  const answer = planner.named(result);
  if (answer === undefined) {
    problems.push({ at: "body.res_id", message: planner.unknown("node", result) });
  }
  const step = answer === undefined ? null : planner.step(answer);
  if (problems.length > 0 || step === null) throw errors.invalidRequest(problems);
  return step;
}

class Planner {
  readonly #now: Date;
  readonly #byName = new Map<string, NodePlace>();
  readonly #readers = new Map<NodePlace, number>();
  /** Null: the node is invalid or is being planned. */
  readonly #steps = new Map<NodePlace, Step | null>();
  readonly #path: NodePlace[] = [];

  constructor(places: readonly NodePlace[], now: Date) {
    this.#now = now;
    for (const place of places) this.#name(place);
    for (const { node } of places) {
      for (const [, name] of inputsOf(node)) {
        const read = this.#byName.get(name);
        if (read !== undefined) this.#readers.set(read, (this.#readers.get(read) ?? 0) + 1);
      }
    }
  }

  named(name: string): NodePlace | undefined {
    return this.#byName.get(name);
  }

  unknown(what: string, name: string): string {
    const nearestName = nearest(name, [...this.#byName.keys()]);
    return `unknown ${what} ${name}${nearestName === undefined ? "" : `; did you mean ${nearestName}?`}`;
  }

  /** Null for an invalid node, and for a node that reads an invalid node. */
  step(place: NodePlace): Step | null {
    const earlierStep = this.#steps.get(place);
    if (earlierStep !== undefined) return earlierStep;
    this.#steps.set(place, null);
    this.#path.push(place);
    const inputs = inputsOf(place.node).map(([member, name]) => this.#input(place, member, name));
    this.#path.pop();
    const valid = inputs.filter((input) => input !== null);
    const step = valid.length < inputs.length ? null : this.#compile(place, valid);
    const checked = step === null ? null : this.#checkSchema(place, this.#shared(place, step));
    this.#steps.set(place, checked);
    return checked;
  }

  #name(place: NodePlace): void {
    const { id, res_id } = place.node;
    for (const [member, name] of [
      ["id", id],
      ["res_id", res_id],
    ] as const) {
      const other = this.#byName.get(name);
      if (other === undefined) this.#byName.set(name, place);
      else if (other !== place) place.report(member, `${name} names ${other.at} already`);
    }
  }

  #input(
    place: NodePlace,
    member: string,
    name: string,
  ): { readonly step: Step; readonly place: NodePlace } | null {
    const input = this.#byName.get(name);
    if (input === undefined) return place.report(member, () => this.unknown("input", name));
    const start = this.#path.indexOf(input);
    if (start >= 0) {
      const cycle = [...this.#path.slice(start), input].map(({ node }) => node.id);
      return place.report(member, `the nodes form a cycle: ${cycle.join(" reads ")}`);
    }
    const step = this.step(input);
    return step === null ? null : { step, place: input };
  }

  #compile(
    place: NodePlace,
    [first, second]: readonly { readonly step: Step; readonly place: NodePlace }[],
  ): Step | null {
    const { operator } = place.node;
    if (operator.type === "source") {
      return sourceStep(operator.resource, where.everything, place);
    }
    if (first === undefined) return null;
    switch (operator.type) {
      case "filter":
        return filterStep(operator, first.step, place, this.#now);
      case "project":
        return projectStep(operator, first.step, place);
      case "group":
        return groupStep(operator, first.step, place);
      case "sort":
        return sortStep(operator, first.step, place);
      case "limit":
        return limitStep(operator, first.step, place);
      case "join":
        return second === undefined ? null : joinStep(operator, first, second, place);
    }
  }

  /**
   * A node that several other nodes read runs once. A source runs again instead, which is cheaper than
   * keeping its rows.
   */
  #shared(place: NodePlace, step: Step): Step {
    if ((this.#readers.get(place) ?? 0) < 2 || step.scan !== undefined) return step;
    return {
      frame: step.frame,
      async *rows(execution) {
        yield await execution.share(step, () => step.rows(execution), place.at);
      },
    };
  }

  #checkSchema(place: NodePlace, step: Step): Step | null {
    let valid = true;
    for (const [index, { name }] of (place.node.schema?.fields ?? []).entries()) {
      valid = place.column(step.frame, name, `schema.fields[${index}].name`) !== null && valid;
    }
    return valid ? step : null;
  }
}
