import { emptyRequest, type JsonObject, type RequestParts } from "../requests/request.ts";
import { identifier } from "./identifiers.ts";

/** The records of a request, and the namespace that distinguishes them from all others. */
export interface Subject {
  /** Lower-case letters and digits. */
  readonly namespace: string;
  readonly records: readonly JsonObject[];
  /** FQL that selects exactly these records, if the namespace cannot. */
  readonly filter?: string;
}

/** Functions for a recipe to find records of a kind that no operation creates. */
export interface Finder {
  /** Prefix for the names of records that the finder creates. */
  readonly namespace: string;
  /** The JSON of a successful read; undefined if the target rejects it. */
  read(operation: string, parts: Partial<RequestParts>): Promise<unknown>;
  /** Creates records of another kind. They are removed at the end of the run. */
  create(resource: string, inputs: readonly JsonObject[]): Promise<readonly JsonObject[]>;
  /** Sends any other write; throws if the target rejects it. */
  write(operation: string, parts: Partial<RequestParts>): Promise<readonly JsonObject[]>;
  /** Sends these requests at the end of the run, the last one first. */
  sendLast(operation: string, parts: Partial<RequestParts>): void;
}

/**
 * Facts about a kind of record that are not in the document: how to create, find and remove it. A
 * kind that no operation creates has no lifecycle; its records are found (`find`), or passed by the
 * user (`knownRecords`).
 */
export interface ResourceRecipe {
  readonly idField: string;
  /** Where a unique value must be unique: in its tenant (the default), or in all tenants. */
  readonly uniqueIn?: "tenant" | "platform";
  /** Filter tables of this kind besides the one that has its name. */
  readonly tables?: readonly string[];
  /** Filter fields that are not members of the record. */
  readonly unseen?: readonly string[];
  /** Fields that are sorted by the numbers in their texts: `1.10` after `1.9`. */
  readonly versions?: readonly string[];
  /** Members that depend on other records, such as a position in an order. */
  readonly restless?: readonly string[];
  /** A nonexistent record with well-formed identifiers, which depend on the number. */
  readonly phantom: (namespace: string, number: number) => JsonObject;
  readonly lifecycle: Lifecycle | null;
  /** Finds records on a target; only for kinds without a lifecycle. */
  readonly find?: (finder: Finder) => Promise<readonly JsonObject[]>;
  /**
   * If such records can be hidden from some users of a tenant: the kind of the known records that the limited
   * user does not see, and the kind by which the run's client reads them.
   */
  readonly hidden?: { readonly known: string; readonly kind: string };
  /**
   * Whether other cases add records of this kind at any time. Lists are then filtered by the ids of the known records.
   */
  readonly crowded?: boolean;
  /** Whether every request contains all known records, never only some of them. */
  readonly whole?: boolean;
}

export interface Lifecycle {
  readonly create: string;
  /** Members of a new record. Some depend on the index, some are constant, some are absent. */
  readonly input: (namespace: string, index: number) => JsonObject;
  readonly createRequest: (inputs: readonly JsonObject[]) => Partial<RequestParts>;
  /**
   * Maximum number of records in one create or delete request; if absent, the documented maximum.
   */
  readonly atOnce?: number;
  /** FQL that selects all records of a namespace and no others. */
  readonly filter: (namespace: string) => string;
  /** Operations on records by id. By default, their requests have `ids` in the query. */
  readonly get: string;
  readonly getRequest?: (ids: readonly string[]) => Partial<RequestParts>;
  /** If absent, no operation removes such records, and the records of a run remain. */
  readonly remove?: string;
  readonly removeRequest?: (ids: readonly string[]) => Partial<RequestParts>;
  /** The members of removed records that remain readable. If absent, removed records are gone. */
  readonly removed?: JsonObject;
  /** Changes one member of each record; `changed` contains the expected members. */
  readonly change?: {
    readonly operation: string;
    readonly request: (records: readonly JsonObject[]) => Partial<RequestParts>;
    readonly changed: JsonObject;
    /** Members that one request cannot change alone, by dotted path. */
    readonly fixed?: readonly string[];
    /** Values to set if they cannot be derived from the schema, by dotted path. */
    readonly values?: Readonly<Record<string, readonly unknown[]>>;
    /** Members that depend on others and change with them, by dotted path. */
    readonly follows?: readonly string[];
    /** Whether an empty text clears a member, like null. */
    readonly emptyClears?: boolean;
  };
}

/** A preparing call; its response is not checked. */
export interface Step {
  readonly operation: string;
  readonly parts: Partial<RequestParts>;
  /** Headers of its response to send with the request, in lower case. */
  readonly passedOn?: readonly string[];
  /** Whether another request can send the same headers after this one was rejected. */
  readonly reusable?: boolean;
  /** Whether the request only undoes an earlier one. It is not sent if that one was rejected. */
  readonly undoes?: boolean;
}

/** A request, the calls before it, and the calls after it that restore the state. */
export type RecipeRequest = Partial<RequestParts> & {
  readonly first?: readonly Step[];
  readonly last?: readonly Step[];
};

/** Facts about an operation that are not in the document. */
export interface OperationRecipe {
  /** Whether there is no recipe, so that only the examples of the document are known. */
  readonly inferred?: boolean;
  /** The kind of record that it reads or writes; null if it returns no data of a tenant. */
  readonly resource: string | null;
  /** The effect on the records. */
  readonly effect: "none" | "create" | "change" | "remove";
  /** Whether the operation works on one record, not on a list. */
  readonly single?: boolean;
  /** Whether its cases must run one after the other, because all of them use the same records. */
  readonly alone?: boolean;
  /** Whether its records have another format than those of the kind's lifecycle. They are then not compared. */
  readonly otherForm?: boolean;
  /** The request for a subject, if examples, `ids` and `filter` are not sufficient. */
  readonly request?: (subject: Subject) => RecipeRequest;
  /** Members that differ in each response. */
  readonly restless?: readonly string[];
  /** Further valid requests, by the name of what differs. */
  readonly more?: Readonly<Record<string, (subject: Subject) => RecipeRequest>>;
  /** How to obtain a documented status that needs a special request. */
  readonly answers?: Readonly<Record<number, (subject: Subject) => RecipeRequest>>;
  /** The kind of record of such a request, if it differs from `resource`. */
  readonly answersAbout?: Readonly<Record<number, string>>;
  /** Rules of this operation alone, by a title that states the rule. */
  readonly rules?: Readonly<Record<string, (run: RuleRun) => Promise<void>>>;
}

/** The requests of a rule. Each response is checked against the document. */
export interface RuleRun {
  readonly namespace: string;
  /** Sends a request that must succeed, and returns the first record of the response. */
  send(operation: string, body: JsonObject): Promise<JsonObject>;
  /** Sends a request and returns the status of the response. */
  statusOf(operation: string, parts: Partial<RequestParts>): Promise<number>;
  /** Checks a value in the last response. */
  expect(what: string, got: unknown, expected: unknown): void;
}

export interface CollectionRecipe {
  readonly resources: Readonly<Record<string, ResourceRecipe>>;
  readonly operations: Readonly<Record<string, OperationRecipe>>;
}

/** A request of `lifecycle.get` for records by id. */
export const getRequest = (
  { getRequest: build }: Lifecycle,
  ids: readonly string[],
): RequestParts => ({
  ...emptyRequest,
  ...(build === undefined ? { query: { ids } } : build(ids)),
});

/** A request of `lifecycle.remove` for records by id. */
export const removeRequest = (
  { removeRequest: build }: Lifecycle,
  ids: readonly string[],
): RequestParts => ({
  ...emptyRequest,
  ...(build === undefined ? { query: { ids } } : build(ids)),
});

/** The records in the response to a finder, in either representation; empty if it was rejected. */
export const recordsIn = (value: unknown): readonly JsonObject[] =>
  listIn(value) as readonly JsonObject[];

/** The ids of the records. */
export const idsOf = ({ records }: Subject, member = "id"): readonly string[] =>
  records.map((record) => String(record[member]));

/** A kind whose records are found, because a create request alone does not make them. */
export const findOnly = (
  find: NonNullable<ResourceRecipe["find"]>,
  phantom: ResourceRecipe["phantom"] = (namespace, number) => ({
    id: identifier("phantom", namespace, number),
  }),
): ResourceRecipe => ({ idField: "id", phantom, lifecycle: null, find });

/** The identifiers in the response to a finder. */
export const idsIn = (value: unknown): readonly string[] => listIn(value).map(String);

function listIn(value: unknown): readonly unknown[] {
  const list = Array.isArray(value)
    ? value
    : (value as { readonly resources?: unknown } | undefined)?.resources;
  return Array.isArray(list) ? list : [];
}
