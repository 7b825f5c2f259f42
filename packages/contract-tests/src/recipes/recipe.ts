import type { JsonObject, RequestParts } from "../requests/request.ts";

/** Records that a request is about, and the namespace that sets them apart from all others. */
export interface Subject {
  /** Lower-case letters and digits. */
  readonly namespace: string;
  readonly records: readonly JsonObject[];
}

/**
 * What the document cannot tell about one kind of record: how to make one, find it and remove it.
 * A kind that no operation creates has no lifecycle; the target's owner names some (`knownRecords`).
 */
export interface ResourceRecipe {
  readonly idField: string;
  /** A record that does not exist; its identifiers are well-formed, and differ with the number. */
  readonly phantom: (namespace: string, number: number) => JsonObject;
  readonly lifecycle: Lifecycle | null;
}

export interface Lifecycle {
  readonly create: string;
  /** Members of a new record. Some differ with the index, some are the same, some are left out. */
  readonly input: (namespace: string, index: number) => JsonObject;
  readonly createRequest: (inputs: readonly JsonObject[]) => Partial<RequestParts>;
  /** FQL that selects all records of a namespace and no others. */
  readonly filter: (namespace: string) => string;
  /** Operations that take `ids`. */
  readonly get: string;
  readonly remove: string;
  /** Changes one member of each record; `changed` is what they then hold. */
  readonly change?: {
    readonly operation: string;
    readonly request: (records: readonly JsonObject[]) => Partial<RequestParts>;
    readonly changed: JsonObject;
  };
}

/** What the document cannot tell about one operation. */
export interface OperationRecipe {
  /** The kind of record it reads or writes; null: it shows nothing that belongs to a tenant. */
  readonly resource: string | null;
  /** What it does to the records. */
  readonly effect: "none" | "create" | "change" | "remove";
  /** The request about a subject, where examples, `ids` and `filter` do not make it. */
  readonly request?: (subject: Subject) => Partial<RequestParts>;
  /** Other valid requests, whole, by what is different about them. */
  readonly more?: Readonly<Record<string, (subject: Subject) => Partial<RequestParts>>>;
  /** How to obtain a documented status that needs a request of its own. */
  readonly answers?: Readonly<Record<number, (subject: Subject) => Partial<RequestParts>>>;
}

export interface CollectionRecipe {
  readonly resources: Readonly<Record<string, ResourceRecipe>>;
  readonly operations: Readonly<Record<string, OperationRecipe>>;
}
