import type { Contract, Operation } from "../contract.ts";
import { dataProtection } from "./data-protection.ts";
import { downloads } from "./downloads.ts";
import { identityProtection } from "./identity-protection.ts";
import { ioaExclusions } from "./ioa-exclusions.ts";
import { ioc } from "./ioc.ts";
import { oauth2 } from "./oauth2.ts";
import { preventionPolicy } from "./prevention-policy.ts";
import type { CollectionRecipe, OperationRecipe, ResourceRecipe } from "./recipe.ts";
import { userManagement } from "./user-management.ts";

/** By the folder of the collection in `spec/`. */
export const platformRecipes: Readonly<Record<string, CollectionRecipe>> = {
  "data-protection": dataProtection,
  downloads,
  "identity-protection": identityProtection,
  "ioa-exclusions": ioaExclusions,
  ioc,
  oauth2,
  "prevention-policy": preventionPolicy,
  "user-management": userManagement,
};

/** Recipes of a contract's operations. */
export class Recipes {
  readonly #contract: Contract;
  readonly #collections: Readonly<Record<string, CollectionRecipe>>;

  /** Throws where an operation lacks its recipe, those in `except` aside. */
  constructor(
    contract: Contract,
    collections: Readonly<Record<string, CollectionRecipe>>,
    except: ReadonlySet<string> = new Set(),
  ) {
    this.#contract = contract;
    this.#collections = collections;
    const problems = this.#problems(except);
    if (problems.length > 0) {
      throw new Error(`the contract tests lack recipes:\n${problems.join("\n")}`);
    }
  }

  of(operation: Operation): OperationRecipe {
    const recipe = this.#find(operation);
    if (recipe === undefined) throw new Error(missing(operation));
    return recipe;
  }

  resource(name: string): ResourceRecipe {
    for (const { resources } of Object.values(this.#collections)) {
      const found = resources[name];
      if (found !== undefined) return found;
    }
    throw new Error(`no recipe makes records of ${name}; add it to a collection's resources`);
  }

  resourceNames(): readonly string[] {
    return Object.values(this.#collections).flatMap(({ resources }) => Object.keys(resources));
  }

  /** A read that filters a known kind of record needs no entry: its `x-fql` tells everything. */
  #find(operation: Operation): OperationRecipe | undefined {
    const listed = this.#collections[operation.collection]?.operations[operation.id];
    if (listed !== undefined) return listed;
    if (operation.method !== "get") return undefined;
    const filter = operation.parameters.find(({ fql }) => fql?.use === "filter")?.fql;
    return filter?.resource !== undefined && this.resourceNames().includes(filter.resource)
      ? { resource: filter.resource, effect: "none" }
      : undefined;
  }

  #problems(except: ReadonlySet<string>): readonly string[] {
    const known = new Set(this.#contract.operations.map(({ id }) => id));
    const unknown = Object.entries(this.#collections).flatMap(([collection, { operations }]) =>
      Object.keys(operations)
        .filter((id) => !known.has(id))
        .map((id) => `- src/recipes/${collection}.ts has ${id}, which the document does not have`),
    );
    const lacking = this.#contract.operations
      .filter((operation) => !except.has(operation.id) && this.#find(operation) === undefined)
      .map(missing);
    return [...unknown, ...lacking];
  }
}

function missing({ id, collection, method, path }: Operation): string {
  const request = method === "get" ? "" : ", request: (subject) => ({ body: … })";
  return (
    `- ${id} (${method.toUpperCase()} ${path}): add to operations in src/recipes/${collection}.ts ` +
    `"${id}": { resource: "<kind of record>" or null, effect: "none" | "create" | "change" | "remove"${request} }`
  );
}
