import type { Operation } from "../contract.ts";
import type { CaseContext } from "./case-context.ts";

/**
 * What a case shows: that a documented answer is given (`answer`), that what the document forbids is
 * refused (`shape`, `limits`, `filter`), or one of the laws that hold for every operation.
 */
export type Law =
  | "answer"
  | "shape"
  | "limits"
  | "filter"
  | "token"
  | "scope"
  | "tenant"
  | "paging"
  | "complement"
  | "envelope";

/** What a target must offer, beyond its API, for a case to be run. */
export type Need =
  /** Credentials of a second tenant. */
  | "other tenant"
  /** A client with a scope besides the operation's. */
  | "second scope"
  /** A way to force 500 and 503. */
  | "faults"
  /** The same, or an address of the service that allows only a few requests a minute. */
  | "faults or a rate limit"
  /** Records of a kind that no operation creates. */
  | `known ${string}`;

export interface Case {
  readonly operation: Operation;
  /** The documented status that it shows; of several, the one it is about. */
  readonly status: number;
  readonly law: Law;
  readonly title: string;
  readonly needs: readonly Need[];
  /** It must not run beside other requests of the operation. */
  readonly alone?: boolean;
  readonly run: (context: CaseContext) => Promise<void>;
}

/** `indicator.search.v1 400 limits: query.limit above maximum 2000`; unique. */
export const caseId = ({ operation, status, law, title }: Case): string =>
  `${operation.id} ${status} ${law}: ${title}`;
