import type { FieldsOf, OperationId, PathOf, QueryOf } from "@security-platform/spec";

/** A person of the story, by role. Absent: the API client. */
export type Person = "administrator" | "analyst" | "responder";

/** One call of an operation in the past of a tenant. */
export interface Told<Id extends OperationId> {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly by?: Person;
  /** Identifiers of the records that the call creates, in their order; others are generated. */
  readonly ids?: readonly string[];
  readonly query?: Partial<QueryOf<Id>>;
  readonly path?: PathOf<Id>;
  readonly body?: FieldsOf<Id>;
}

/** A step of any operation. `step` has checked its types. */
export interface Step extends Told<OperationId> {
  readonly operation: OperationId;
}

export const step = <Id extends OperationId>(operation: Id, told: Told<Id>): Step =>
  ({ operation, ...told }) as unknown as Step;
