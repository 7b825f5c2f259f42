import { randomBytes } from "node:crypto";
import { isSuccess, operationById, type Operation } from "../contract.ts";
import { removeRequest, type Subject } from "../recipes/recipe.ts";
import type { Recipes } from "../recipes/recipes.ts";
import { emptyRequest, type JsonObject } from "../requests/request.ts";
import { recordsOf } from "../target/answer.ts";
import type { TenantName } from "../target/credentials.ts";
import type { Target } from "../target/target.ts";

interface Made {
  readonly resource: string;
  readonly tenant: TenantName;
  readonly id: string;
}

interface CreateOptions {
  readonly tenant?: TenantName;
  readonly namespace?: string;
  readonly from?: number;
}

const removedAtOnce = 100;

/** Makes the records that cases work on, each set in a namespace of its own, and removes them again. */
export class Subjects {
  readonly #target: Target;
  readonly #recipes: Recipes;
  readonly #known: Readonly<Record<string, readonly JsonObject[]>>;
  readonly #shared = new Map<string, Promise<Subject>>();
  readonly #made = new Map<string, Made>();
  readonly #run = randomBytes(4).toString("hex");
  #namespaces = 0;

  constructor(
    target: Target,
    recipes: Recipes,
    known: Readonly<Record<string, readonly JsonObject[]>>,
  ) {
    this.#target = target;
    this.#recipes = recipes;
    this.#known = known;
  }

  /** Never used before, and always of the same length. */
  namespace(): string {
    this.#namespaces += 1;
    return `ct${this.#run}${String(this.#namespaces).padStart(6, "0")}`;
  }

  known(resource: string): readonly JsonObject[] {
    return this.#known[resource] ?? [];
  }

  /**
   * New records, in a new namespace unless one is given; `from` is the number of the first. Throws when
   * the target does not make them.
   */
  async create(
    resource: string,
    count: number,
    { tenant = "own", namespace = this.namespace(), from = 0 }: CreateOptions = {},
  ): Promise<Subject> {
    const { lifecycle } = this.#recipes.resource(resource);
    if (lifecycle === null) return { namespace, records: this.known(resource).slice(0, count) };
    const inputs = Array.from({ length: count }, (_none, index) =>
      lifecycle.input(namespace, from + index),
    );
    const operation = this.#operation(lifecycle.create);
    const size = lifecycle.atOnce ?? count;
    const records: JsonObject[] = [];
    for (let start = 0; start < count; start += size) {
      const part = inputs.slice(start, start + size);
      const answer = await this.#target.send(
        operation,
        { ...emptyRequest, ...lifecycle.createRequest(part) },
        { access: { kind: "tenant", tenant }, aside: true },
      );
      const made = recordsOf(answer);
      if (isSuccess(answer.status)) this.adopt(resource, made, tenant);
      if (answer.status !== operation.successStatus || made.length !== part.length) {
        const text = answer.text.slice(0, 300);
        throw new Error(`could not create ${part.length} of ${resource}: ${answer.status} ${text}`);
      }
      records.push(...made);
    }
    return { namespace, records };
  }

  /** Records that every case of a kind may read; `of` keeps those apart that a mistake may change. */
  shared(resource: string, of: string, count = 3): Promise<Subject> {
    const key = `${resource} ${of}`;
    const known = this.#shared.get(key) ?? this.create(resource, count);
    this.#shared.set(key, known);
    return known;
  }

  /** Records that do not exist. */
  phantom(resource: string, count: number): Subject {
    const namespace = this.namespace();
    const recipe = this.#recipes.resource(resource);
    const records = Array.from({ length: count }, (_none, index) =>
      recipe.phantom(namespace, index),
    );
    return { namespace, records };
  }

  /** Records that a request of a case made: they are removed in the end. */
  adopt(resource: string, records: readonly JsonObject[], tenant: TenantName = "own"): void {
    const { idField } = this.#recipes.resource(resource);
    for (const record of records) {
      const id = String(record[idField]);
      this.#made.set(`${tenant} ${resource} ${id}`, { resource, tenant, id });
    }
  }

  /** Records that are gone already. */
  forget(resource: string, ids: readonly string[], tenant: TenantName = "own"): void {
    for (const id of ids) this.#made.delete(`${tenant} ${resource} ${id}`);
  }

  /** Removes everything that was made; gives what could not be removed. */
  async removeAll(): Promise<readonly string[]> {
    const problems: string[] = [];
    const groups = Map.groupBy(
      this.#made.values(),
      ({ resource, tenant }) => `${tenant} ${resource}`,
    );
    for (const group of groups.values()) {
      const size = this.#removable(group[0]?.resource ?? "");
      for (let from = 0; from < group.length; from += size) {
        const some = group.slice(from, from + size);
        problems.push(
          ...(await this.#remove(some).catch((error: unknown) => leftBehind(some, error))),
        );
      }
    }
    this.#made.clear();
    return problems;
  }

  /** How many records one request removes. */
  #removable(resource: string): number {
    const { lifecycle } = this.#recipes.resource(resource);
    if (lifecycle === null) return removedAtOnce;
    if (lifecycle.atOnce !== undefined) return lifecycle.atOnce;
    const ids = this.#operation(lifecycle.remove).parameters.find(({ name }) => name === "ids");
    return Math.min(removedAtOnce, Number(ids?.schema["maxItems"] ?? removedAtOnce));
  }

  /** All or none are removed, so what is gone already is left out in a second attempt. */
  async #remove(group: readonly Made[]): Promise<readonly string[]> {
    const [first] = group;
    if (first === undefined) return [];
    const { resource, tenant } = first;
    const { lifecycle } = this.#recipes.resource(resource);
    if (lifecycle === null) return [];
    const answer = await this.#target.send(
      this.#operation(lifecycle.remove),
      removeRequest(
        lifecycle,
        group.map(({ id }) => id),
      ),
      { access: { kind: "tenant", tenant }, aside: true },
    );
    if (answer.status < 300) return [];
    const { errors = [] } = (answer.json ?? {}) as { errors?: readonly { readonly id?: string }[] };
    const gone = new Set(errors.map(({ id }) => id));
    const rest = group.filter(({ id }) => !gone.has(id));
    if (answer.status === 404 && group.length === 1) return [];
    if (answer.status === 404 && rest.length < group.length) return this.#remove(rest);
    return leftBehind(rest, `${answer.status} ${answer.text.slice(0, 200)}`);
  }

  #operation(id: string): Operation {
    return operationById(this.#target.contract, id);
  }
}

const leftBehind = (some: readonly Made[], reason: unknown): readonly string[] => [
  `${some.length} of ${some[0]?.resource ?? "nothing"} were left behind: ${reason instanceof Error ? reason.message : String(reason)}`,
];
