import { operationById } from "../contract.ts";
import { removeRequest } from "../recipes/recipe.ts";
import type { Recipes } from "../recipes/recipes.ts";
import type { RequestParts } from "../requests/request.ts";
import { ownAccess, type TenantName } from "../target/credentials.ts";
import type { Target } from "../target/target.ts";
import { groupBy } from "../group-by.ts";

interface Created {
  readonly resource: string;
  readonly tenant: TenantName;
  readonly id: string;
}

/** Maximum number of records in one delete request. */
const batchSize = 100;

/** Tracks the records that a run created, and removes them at the end. */
export class CleanUp {
  readonly #target: Target;
  readonly #recipes: Recipes;
  readonly #created = new Map<string, Created>();
  readonly #last: { readonly operation: string; readonly parts: RequestParts }[] = [];

  constructor(target: Target, recipes: Recipes) {
    this.#target = target;
    this.#recipes = recipes;
  }

  add(resource: string, tenant: TenantName, id: string): void {
    this.#created.set(`${tenant} ${resource} ${id}`, { resource, tenant, id });
  }

  delete(resource: string, tenant: TenantName, id: string): void {
    this.#created.delete(`${tenant} ${resource} ${id}`);
  }

  /** A request to send before the records are removed. */
  last(operation: string, parts: RequestParts): void {
    this.#last.push({ operation, parts });
  }

  /** Removes everything; returns what could not be removed. */
  async run(): Promise<readonly string[]> {
    for (const { operation, parts } of this.#last.splice(0).toReversed()) {
      const definition = operationById(this.#target.contract, operation);
      await this.#target
        .send(definition, parts, { access: ownAccess, aside: true })
        .catch(() => {});
    }
    // The newest kinds first. A record in use cannot be deleted: retry after the others.
    let problems: string[] = [];
    for (let left = this.#created.size, before = Infinity; left > 0 && left < before;) {
      before = left;
      problems = await this.#removeOnce();
      left = this.#created.size;
    }
    this.#created.clear();
    return problems;
  }

  async #removeOnce(): Promise<string[]> {
    const problems: string[] = [];
    const groups = groupBy(
      [...this.#created.values()].toReversed(),
      ({ resource, tenant }) => `${tenant} ${resource}`,
    );
    for (const group of groups.values()) {
      const size = this.#batchSize(group[0]?.resource ?? "");
      for (let from = 0; from < group.length; from += size) {
        const batch = group.slice(from, from + size);
        problems.push(
          ...(await this.#remove(batch).catch((error: unknown) => leftBehind(batch, error))),
        );
      }
    }
    return problems;
  }

  #batchSize(resource: string): number {
    const { lifecycle } = this.#recipes.resource(resource);
    if (lifecycle?.remove === undefined) return batchSize;
    if (lifecycle.atOnce !== undefined) return lifecycle.atOnce;
    const operation = operationById(this.#target.contract, lifecycle.remove);
    const ids = operation.parameters.find(({ name }) => name === "ids");
    return Math.min(batchSize, Number(ids?.schema["maxItems"] ?? batchSize));
  }

  /** A request removes all records or none, so the second attempt omits deleted records. */
  async #remove(batch: readonly Created[]): Promise<readonly string[]> {
    const [first] = batch;
    if (first === undefined) return [];
    const { resource, tenant } = first;
    const { lifecycle } = this.#recipes.resource(resource);
    if (lifecycle?.remove === undefined) return this.#forget(batch);
    const answer = await this.#target.send(
      operationById(this.#target.contract, lifecycle.remove),
      removeRequest(
        lifecycle,
        batch.map(({ id }) => id),
      ),
      { access: { kind: "tenant", tenant }, aside: true },
    );
    if (answer.status < 300) return this.#forget(batch);
    const { errors = [] } = (answer.json ?? {}) as { errors?: readonly { readonly id?: string }[] };
    const missing = new Set(errors.map(({ id }) => id));
    const rest = batch.filter(({ id }) => !missing.has(id));
    if (answer.status === 404 && batch.length === 1) return this.#forget(batch);
    if (answer.status === 404 && rest.length < batch.length) {
      this.#forget(batch.filter(({ id }) => missing.has(id)));
      return this.#remove(rest);
    }
    // One record in use prevents the whole batch: remove the others one by one.
    if (answer.status === 409 && batch.length > 1) {
      const problems: string[] = [];
      for (const one of batch) problems.push(...(await this.#remove([one])));
      return problems;
    }
    return leftBehind(rest, `${answer.status} ${answer.text.slice(0, 200)}`);
  }

  #forget(batch: readonly Created[]): readonly string[] {
    for (const { resource, tenant, id } of batch) this.delete(resource, tenant, id);
    return [];
  }
}

const leftBehind = (batch: readonly Created[], reason: unknown): readonly string[] => [
  `${batch.length} of ${batch[0]?.resource ?? "nothing"} were left behind: ${reason instanceof Error ? reason.message : String(reason)}`,
];
