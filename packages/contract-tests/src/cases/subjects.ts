import { isSuccess, operationById, type Operation } from "../contract.ts";
import { getRequest, type Finder, type ResourceRecipe, type Subject } from "../recipes/recipe.ts";
import { ownersIn, withOwners } from "../recipes/owner.ts";
import type { Recipes } from "../recipes/recipes.ts";
import {
  emptyRequest,
  passedHeaders,
  type JsonObject,
  type RequestParts,
} from "../requests/request.ts";
import { listOf, recordsOf, type Answer } from "../target/answer.ts";
import { ownAccess, type TenantName } from "../target/credentials.ts";
import type { Target } from "../target/target.ts";
import { CleanUp } from "./clean-up.ts";
import { CaseSkipped, NotImplemented } from "../failure.ts";
import { literal, type Scalar } from "./fields.ts";
import { namespaceOf } from "./namespace.ts";

export interface CreateOptions {
  readonly namespace: string;
  readonly tenant?: TenantName;
  /** Number of the first record. */
  readonly from?: number;
}

export interface SubjectsOptions {
  readonly target: Target;
  readonly recipes: Recipes;
  readonly knownRecords: Readonly<Record<string, readonly JsonObject[]>>;
  /** See `RunContext`. */
  readonly names: string;
  readonly writes: boolean;
}

/** Provides the records that cases work on, each set in its own namespace. */
export class Subjects {
  readonly #options: SubjectsOptions;
  readonly #shared = new Map<string, Promise<Subject>>();
  readonly #found = new Map<string, Promise<readonly JsonObject[]>>();
  readonly #owners = new Map<string, Promise<string>>();
  readonly #cleanUp: CleanUp;

  constructor(options: SubjectsOptions) {
    this.#options = options;
    this.#cleanUp = new CleanUp(options.target, options.recipes);
  }

  /**
   * Records of a kind that no operation creates: those that the user passed, or that the recipe
   * finds.
   */
  knownRecords(resource: string): Promise<readonly JsonObject[]> {
    const listed = this.#options.knownRecords[resource];
    if (listed !== undefined) return Promise.resolve(listed);
    const records = this.#found.get(resource) ?? this.#find(resource);
    this.#found.set(resource, records);
    return records;
  }

  /** New records; throws if the target does not create them. */
  async create(
    resource: string,
    count: number,
    { namespace, tenant = "own", from = 0 }: CreateOptions,
  ): Promise<Subject> {
    const { lifecycle, whole } = this.#options.recipes.resource(resource);
    if (lifecycle === null) {
      const records = await this.knownRecords(resource);
      if (records.length === 0) throw new CaseSkipped(`known ${resource}`);
      return this.#subject(resource, namespace, whole === true ? records : records.slice(0, count));
    }
    const inputs = Array.from({ length: count }, (_none, index) =>
      lifecycle.input(namespace, from + index),
    );
    return { namespace, records: await this.#create(resource, inputs, tenant) };
  }

  /**
   * Records that several cases may read. `of` separates records that a faulty server could change.
   * Without permission to write, existing records.
   */
  shared(resource: string, of: string, count = 3): Promise<Subject> {
    const key = `${resource} ${of}`;
    const namespace = namespaceOf(this.#options.names, key);
    const isMade = this.#options.recipes.resource(resource).lifecycle !== null;
    const shared =
      this.#shared.get(key) ??
      (isMade && !this.#options.writes
        ? this.#existing(resource, count, namespace, of === "pages")
        : this.create(resource, count, { namespace }));
    this.#shared.set(key, shared);
    return shared;
  }

  /** Records that do not exist. */
  phantom(resource: string, count: number, namespace: string): Subject {
    const recipe = this.#options.recipes.resource(resource);
    const records = Array.from({ length: count }, (_none, index) =>
      recipe.phantom(namespace, index),
    );
    return this.#subject(resource, namespace, records);
  }

  /**
   * The request with the ids of records that its body only names by kind. Creates one for each
   * tenant.
   */
  async placed<Parts extends Partial<RequestParts>>(
    parts: Parts,
    tenant: TenantName,
  ): Promise<Parts> {
    const owners = ownersIn(parts);
    if (owners.length === 0) return parts;
    const entries = owners.map(
      async ([member, resource]) => [member, await this.#owner(resource, tenant)] as const,
    );
    return withOwners(parts, Object.fromEntries(await Promise.all(entries)));
  }

  #owner(resource: string, tenant: TenantName): Promise<string> {
    const key = `${resource} ${tenant}`;
    const owner = this.#owners.get(key) ?? this.#createOwner(resource, tenant);
    this.#owners.set(key, owner);
    return owner;
  }

  async #createOwner(resource: string, tenant: TenantName): Promise<string> {
    const namespace = namespaceOf(this.#options.names, `owner ${resource} ${tenant}`);
    const { records } = await this.create(resource, 1, { namespace, tenant });
    return String(records[0]?.[this.#options.recipes.resource(resource).idField]);
  }

  /** Registers records that a request created, so that they are removed at the end. */
  adopt(resource: string, records: readonly JsonObject[], tenant: TenantName = "own"): void {
    const { idField } = this.#options.recipes.resource(resource);
    for (const record of records) this.#cleanUp.add(resource, tenant, String(record[idField]));
  }

  /** Records that are already deleted. */
  forget(resource: string, ids: readonly string[], tenant: TenantName = "own"): void {
    for (const id of ids) this.#cleanUp.delete(resource, tenant, id);
  }

  /** Removes everything that the run created; returns what could not be removed. */
  removeAll(): Promise<readonly string[]> {
    return this.#cleanUp.run();
  }

  #subject(resource: string, namespace: string, records: readonly JsonObject[]): Subject {
    const recipe = this.#options.recipes.resource(resource);
    const filter = recipe.crowded ? this.#filterFor(resource, recipe, records) : undefined;
    return { namespace, records, ...(filter === undefined ? {} : { filter }) };
  }

  async #create(
    resource: string,
    inputs: readonly JsonObject[],
    tenant: TenantName,
  ): Promise<readonly JsonObject[]> {
    const { lifecycle } = this.#options.recipes.resource(resource);
    if (lifecycle === null) throw new Error(`no operation creates ${resource}`);
    if (!this.#options.writes) throw new CaseSkipped("--allow-writes");
    const operation = this.#operation(lifecycle.create);
    const size = lifecycle.atOnce ?? inputs.length;
    const records: JsonObject[] = [];
    for (let start = 0; start < inputs.length; start += size) {
      const part = inputs.slice(start, start + size);
      const answer = await this.#send(operation, lifecycle.createRequest(part), tenant);
      const created = recordsOf(answer);
      if (isSuccess(answer.status)) this.adopt(resource, created, tenant);
      if (answer.status !== operation.successStatus || created.length !== part.length) {
        throw refused(`could not create ${part.length} of ${resource}`, answer);
      }
      records.push(...created);
    }
    return records;
  }

  async #find(resource: string): Promise<readonly JsonObject[]> {
    const { find } = this.#options.recipes.resource(resource);
    if (find === undefined) return [];
    const namespace = namespaceOf(this.#options.names, `find ${resource}`);
    return find(this.#finder(namespace));
  }

  #finder(namespace: string): Finder {
    return {
      namespace,
      read: async (operation, parts) => {
        const answer = await this.#send(this.#operation(operation), parts);
        return isSuccess(answer.status) ? answer.content : undefined;
      },
      create: (resource, inputs) => this.#create(resource, inputs, "own"),
      write: async (operation, parts) => {
        if (!this.#options.writes) throw new CaseSkipped("--allow-writes");
        const answer = await this.#send(this.#operation(operation), parts);
        if (!isSuccess(answer.status)) throw refused(`${operation} failed`, answer);
        return recordsOf(answer);
      },
      sendLast: (operation, parts) => this.#cleanUp.last(operation, { ...emptyRequest, ...parts }),
    };
  }

  async #send(
    operation: Operation,
    parts: Partial<RequestParts>,
    tenant: TenantName = "own",
  ): Promise<Answer> {
    let passed: Readonly<Record<string, string>> = {};
    for (const step of parts.first ?? []) {
      const before = await this.#send(this.#operation(step.operation), step.parts, tenant);
      passed = passedHeaders(step, before.headers);
    }
    const headers = { ...passed, ...parts.headers };
    const placed = await this.placed(parts, tenant);
    const answer = await this.#options.target.send(
      operation,
      { ...emptyRequest, ...placed, headers },
      { access: tenant === "own" ? ownAccess : { kind: "tenant", tenant }, aside: true },
    );
    if (answer.notImplemented) throw new NotImplemented(operation.id);
    return answer;
  }

  /** Existing records of the target, found by the list operation of their kind. */
  async #existing(
    resource: string,
    count: number,
    namespace: string,
    needsFilter: boolean,
  ): Promise<Subject> {
    const recipe = this.#options.recipes.resource(resource);
    const list = this.#options.target.contract.operations.find(
      (operation) =>
        operation.paging !== "none" &&
        operation.method === "get" &&
        operation.parameters.some(
          ({ fql }) => fql?.use === "filter" && fql.resource === resource,
        ) &&
        operation.parameters.every(({ required }) => !required),
    );
    if (list === undefined) throw new CaseSkipped("--allow-writes");
    const answer = await this.#send(list, { query: { limit: String(count) } });
    const items = listOf(answer);
    const records = items.every((item) => typeof item === "string")
      ? await this.#byId(recipe, items)
      : recordsOf(answer);
    if (records.length < count) throw new CaseSkipped("--allow-writes");
    const filter = this.#filterFor(resource, recipe, records);
    if (needsFilter && filter === undefined) throw new CaseSkipped("--allow-writes");
    return { namespace, records, ...(filter === undefined ? {} : { filter }) };
  }

  async #byId(
    { lifecycle }: ResourceRecipe,
    ids: readonly string[],
  ): Promise<readonly JsonObject[]> {
    if (lifecycle === null || ids.length === 0) return [];
    return recordsOf(await this.#send(this.#operation(lifecycle.get), getRequest(lifecycle, ids)));
  }

  #filterFor(
    resource: string,
    { idField }: ResourceRecipe,
    records: readonly JsonObject[],
  ): string | undefined {
    const field = this.#options.target.contract.tables[resource]?.fields[idField];
    if (field === undefined || field.filterable === false) return undefined;
    return `${idField}:[${records.map((record) => literal(record[idField] as Scalar)).join(",")}]`;
  }

  #operation(id: string): Operation {
    return operationById(this.#options.target.contract, id);
  }
}

const refused = (request: string, { status, text }: Answer): Error =>
  new Error(`${request}: ${status} ${text.slice(0, 300)}`);
