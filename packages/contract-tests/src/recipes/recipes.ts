import type { Contract, Operation } from "../contract.ts";
import { caseManagement } from "./case-management.ts";
import { companion } from "./companion.ts";
import { container } from "./container.ts";
import { dataProtection } from "./data-protection.ts";
import { downloads } from "./downloads.ts";
import { identityProtection } from "./identity-protection.ts";
import { ioaExclusions } from "./ioa-exclusions.ts";
import { ioc } from "./ioc.ts";
import { oauth2 } from "./oauth2.ts";
import { preventionPolicy } from "./prevention-policy.ts";
import type { CollectionRecipe, OperationRecipe, ResourceRecipe } from "./recipe.ts";
import { userManagement } from "./user-management.ts";

/** The recipes by the folder of the collection in `spec/`. */
export const platformRecipes: Readonly<Record<string, CollectionRecipe>> = {
  "case-management": caseManagement,
  container,
  "data-protection": dataProtection,
  downloads,
  "identity-protection": identityProtection,
  "ioa-exclusions": ioaExclusions,
  ioc,
  oauth2,
  "prevention-policy": preventionPolicy,
  "user-management": userManagement,
};

/** The recipes of the companion operations; they build on those of the platform. */
export const companionRecipes: Readonly<Record<string, CollectionRecipe>> = { companion };

/** Recipes of a contract's operations. */
export class Recipes {
  readonly #contract: Contract;
  readonly #collections: Readonly<Record<string, CollectionRecipe>>;

  /** Throws if a recipe is for an operation that is not in the contract. */
  constructor(contract: Contract, collections: Readonly<Record<string, CollectionRecipe>>) {
    this.#contract = contract;
    this.#collections = collections;
    const unknown = this.#unknown();
    if (unknown.length > 0) throw new Error(unknown.join("\n"));
  }

  /** The recipe of the operation, or a default derived from its method. */
  of(operation: Operation): OperationRecipe {
    return this.#find(operation) ?? inferredRecipe(operation);
  }

  resource(name: string): ResourceRecipe {
    for (const { resources } of Object.values(this.#collections)) {
      const recipe = resources[name];
      if (recipe !== undefined) return recipe;
    }
    throw new Error(`no recipe for records of ${name}; add it to the resources of a collection`);
  }

  /** Whether the filter table contains fields of this kind of record. */
  isTableOf(resource: string | null, table: string | undefined): boolean {
    if (resource === null || table === undefined) return false;
    return table === resource || this.resource(resource).tables?.includes(table) === true;
  }

  resourceNames(): readonly string[] {
    return Object.values(this.#collections).flatMap(({ resources }) => Object.keys(resources));
  }

  /** Whether requests of the operation change no records. */
  isRead(operation: Operation): boolean {
    if (!this.#contract.operations.includes(operation)) return isSafe(operation);
    const { effect } = this.of(operation);
    return effect === "none";
  }

  /** One line for each operation that lacks a recipe, with what to add. */
  missing(): readonly string[] {
    return this.#contract.operations
      .filter((operation) => this.#find(operation) === undefined)
      .map(describeMissing);
  }

  /** A read that filters a known kind of record needs no entry: its `x-fql` is sufficient. */
  #find(operation: Operation): OperationRecipe | undefined {
    const listed = this.#collections[operation.collection]?.operations[operation.id];
    if (listed !== undefined) return listed;
    if (operation.method !== "get") return undefined;
    const filter = operation.parameters.find(({ fql }) => fql?.use === "filter")?.fql;
    return filter?.resource !== undefined && this.resourceNames().includes(filter.resource)
      ? { resource: filter.resource, effect: "none" }
      : undefined;
  }

  #unknown(): readonly string[] {
    const operationIds = new Set(this.#contract.operations.map(({ id }) => id));
    return Object.entries(this.#collections).flatMap(([collection, { operations }]) =>
      Object.keys(operations)
        .filter((id) => !operationIds.has(id))
        .map((id) => `- src/recipes/${collection}.ts has ${id}, which the document does not have`),
    );
  }
}

const isSafe = ({ method }: Operation): boolean => method === "get" || method === "head";

const inferredRecipe = (operation: Operation): OperationRecipe => ({
  resource: null,
  effect: isSafe(operation) ? "none" : "change",
  inferred: true,
});

function describeMissing({ id, collection, method, path }: Operation): string {
  const request = method === "get" ? "" : ", request: (subject) => ({ body: … })";
  return (
    `- ${id} (${method.toUpperCase()} ${path}): add to operations in src/recipes/${collection}.ts ` +
    `"${id}": { resource: "<kind of record>" or null, effect: "none" | "create" | "change" | "remove"${request} }`
  );
}
