import type { Conformance } from "../conformance/conformance.ts";
import type { Operation } from "../contract.ts";
import type { Recipes } from "../recipes/recipes.ts";
import type { Case } from "./case.ts";

/** The input for generating cases. */
export interface Sources {
  readonly conformance: Conformance;
  readonly recipes: Recipes;
  /** Ids of operations without cases. */
  readonly except: ReadonlySet<string>;
}

/** Generates the cases of one kind for one operation; empty if the kind does not apply to it. */
export type Generator = (operation: Operation, sources: Sources) => readonly Case[];

export const documents = (operation: Operation, status: number): boolean =>
  operation.responses.some((response) => response.status === status);
