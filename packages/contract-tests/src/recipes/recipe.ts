import { emptyRequest, type JsonObject, type RequestParts } from "../requests/request.ts";

/** Records that a request is about, and the namespace that distinguishes them from all others. */
export interface Subject {
  /** Lower-case letters and digits. */
  readonly namespace: string;
  readonly records: readonly JsonObject[];
  /** FQL that selects exactly these records, where the namespace does not. */
  readonly filter?: string;
}

/** What a recipe may call to find records of a kind that no operation creates. */
export interface Finder {
  /** Prefix for the names of records that the finder creates. */
  readonly namespace: string;
  /** The JSON of a successful read; undefined when the target refuses it. */
  read(operation: string, parts: Partial<RequestParts>): Promise<unknown>;
  /** Creates records of another kind. They are removed at the end of the run. */
  create(resource: string, inputs: readonly JsonObject[]): Promise<readonly JsonObject[]>;
  /** Sends any other write; throws when the target refuses it. */
  write(operation: string, parts: Partial<RequestParts>): Promise<readonly JsonObject[]>;
  /** Sends these requests at the end of the run, the last one first. */
  sendLast(operation: string, parts: Partial<RequestParts>): void;
}

/**
 * What the document cannot say about one kind of record: how to create, find and remove it. A kind that
 * no operation creates has no lifecycle; its records are found (`find`), or listed by the owner of the
 * target (`knownRecords`).
 */
export interface ResourceRecipe {
  readonly idField: string;
  /** Where a unique value must be unique: in its tenant (the default), or in all tenants. */
  readonly uniqueIn?: "tenant" | "platform";
  /** Fields that can be filtered by and that the record does not show. */
  readonly unseen?: readonly string[];
  /** Fields that sort by the numbers within their texts: `1.10` after `1.9`. */
  readonly versions?: readonly string[];
  /** Members that depend on other records, such as a position in an order. */
  readonly restless?: readonly string[];
  /** A record that does not exist; its identifiers are well-formed, and differ with the number. */
  readonly phantom: (namespace: string, number: number) => JsonObject;
  readonly lifecycle: Lifecycle | null;
  /** Finds records on a target; only for kinds without a lifecycle. */
  readonly find?: (finder: Finder) => Promise<readonly JsonObject[]>;
  /** Other cases add records of this kind all the time: lists are filtered by the known records' ids. */
  readonly crowded?: boolean;
  /** Every request concerns all known records, never only some of them. */
  readonly whole?: boolean;
}

export interface Lifecycle {
  readonly create: string;
  /** Members of a new record. Some differ with the index, some are the same, some are left out. */
  readonly input: (namespace: string, index: number) => JsonObject;
  readonly createRequest: (inputs: readonly JsonObject[]) => Partial<RequestParts>;
  /** Records that one request creates or removes; absent, any number that the document allows. */
  readonly atOnce?: number;
  /** FQL that selects all records of a namespace and no others. */
  readonly filter: (namespace: string) => string;
  /** Operations about records by id; their requests carry `ids` in the query unless said otherwise. */
  readonly get: string;
  readonly getRequest?: (ids: readonly string[]) => Partial<RequestParts>;
  /** Absent: no operation removes such records, and those of a run stay. */
  readonly remove?: string;
  readonly removeRequest?: (ids: readonly string[]) => Partial<RequestParts>;
  /** What removed records hold, where they stay to be read. Absent: they are gone. */
  readonly removed?: JsonObject;
  /** Changes one member of each record; `changed` is what they then hold. */
  readonly change?: {
    readonly operation: string;
    readonly request: (records: readonly JsonObject[]) => Partial<RequestParts>;
    readonly changed: JsonObject;
    /** Members that one request cannot change by itself, by dotted path. */
    readonly fixed?: readonly string[];
    /** Values to set, where the schema alone does not lead to them; by dotted path. */
    readonly values?: Readonly<Record<string, readonly unknown[]>>;
    /** Members that depend on others and change with them, by dotted path. */
    readonly follows?: readonly string[];
    /** An empty text clears a member, as null does. */
    readonly emptyClears?: boolean;
  };
}

/** A call that prepares what a request needs; its own answer is not checked. */
export interface Step {
  readonly operation: string;
  readonly parts: Partial<RequestParts>;
  /** Headers of its response that the request sends, in lower case. */
  readonly passedOn?: readonly string[];
}

/** A request, the calls that come before it, and those after it that put things right again. */
export type RecipeRequest = Partial<RequestParts> & {
  readonly first?: readonly Step[];
  readonly last?: readonly Step[];
};

/** What the document cannot say about one operation. */
export interface OperationRecipe {
  /** There is no recipe: the document's examples are all that is known. */
  readonly inferred?: boolean;
  /** The kind of record it reads or writes; null: it shows nothing that belongs to a tenant. */
  readonly resource: string | null;
  /** What it does to the records. */
  readonly effect: "none" | "create" | "change" | "remove";
  /** It concerns one record, not a list of records. */
  readonly single?: boolean;
  /** Its cases must not run at the same time: all of them use the same records. */
  readonly alone?: boolean;
  /** Its records have another form than those that the kind's lifecycle makes, so they are not compared. */
  readonly otherForm?: boolean;
  /** The request about a subject, where examples, `ids` and `filter` do not make it. */
  readonly request?: (subject: Subject) => RecipeRequest;
  /** Members of its answer that are others each time. */
  readonly restless?: readonly string[];
  /** Other valid requests, whole, by what is different about them. */
  readonly more?: Readonly<Record<string, (subject: Subject) => RecipeRequest>>;
  /** How to obtain a documented status that needs a request of its own. */
  readonly answers?: Readonly<Record<number, (subject: Subject) => RecipeRequest>>;
  /** The kind of record of such a request, if it differs from `resource`. */
  readonly answersAbout?: Readonly<Record<number, string>>;
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

/** The records in what a finder read, in either representation; none where it was refused. */
export const recordsIn = (value: unknown): readonly JsonObject[] =>
  listIn(value) as readonly JsonObject[];

/** The identifiers in what a finder read. */
export const idsIn = (value: unknown): readonly string[] => listIn(value).map(String);

function listIn(value: unknown): readonly unknown[] {
  const list = Array.isArray(value)
    ? value
    : (value as { readonly resources?: unknown } | undefined)?.resources;
  return Array.isArray(list) ? list : [];
}
