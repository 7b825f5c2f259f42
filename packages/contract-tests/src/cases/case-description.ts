import type { Operation } from "../contract.ts";
import type { Need } from "../need.ts";

/**
 * What a case checks: a documented response (`answer`), the rejection of an invalid request
 * (`shape`, `limits`, `filter`), a rule of this operation alone (`rule`), or one of the laws that
 * hold for every operation.
 */
export type Law =
  | "answer"
  | "shape"
  | "limits"
  | "filter"
  | "token"
  | "scope"
  | "tenant"
  | "hidden"
  | "paging"
  | "complement"
  | "operators"
  | "patch"
  | "idempotency"
  | "deleted"
  | "rule"
  | "random"
  | "envelope"
  | "compat";

/** A case without its code. */
export interface CaseDescription {
  readonly operation: Operation;
  /** The documented status that the case tests. */
  readonly status: number;
  readonly law: Law;
  readonly title: string;
  readonly needs: readonly Need[];
  /** The case sends many requests: `sample` may skip it. */
  readonly costly?: boolean;
  /** The case must not run at the same time as other requests of the operation. */
  readonly alone?: boolean;
}

/** The unique id of a case: `indicator.search.v1 400 limits: query.limit above maximum 2000`. */
export const caseId = ({ operation, status, law, title }: CaseDescription): string =>
  `${operation.id} ${status} ${law}: ${title}`;
