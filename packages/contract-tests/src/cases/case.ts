import type { Operation } from "../contract.ts";
import type { CaseContext } from "./case-context.ts";

/**
 * What a case checks: a documented answer (`answer`), the refusal of an invalid request (`shape`,
 * `limits`, `filter`), or one of the laws that hold for every operation.
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
  | "operators"
  | "patch"
  | "deleted"
  | "random"
  | "envelope";

/** What a case needs beyond the API, and what the report names when it is missing. */
export type Need =
  /** Credentials of a second tenant. */
  | "other tenant"
  /** A client with a scope besides the operation's. */
  | "second scope"
  /** A way to force 500 and 503. */
  | "faults"
  /** The same, or a URL of the service that allows only a few requests a minute. */
  | "faults or a rate limit"
  /** Permission to create, change and delete records. */
  | "--allow-writes"
  /** A recipe that says how to build a valid request. */
  | "a recipe"
  /** Time: the run ended first. */
  | "more time"
  /** A target that still answers. */
  | "a target that answers"
  /** A rate limit that the run could wait for. */
  | "a higher rate limit"
  /** Records of a kind that no operation creates. */
  | `known ${string}`;

export interface Case {
  readonly operation: Operation;
  /** The documented status that the case is about. */
  readonly status: number;
  readonly law: Law;
  readonly title: string;
  readonly needs: readonly Need[];
  /** The case sends many requests: `sample` may leave it out. */
  readonly costly?: boolean;
  /** The case must not run beside other requests of the operation. */
  readonly alone?: boolean;
  readonly run: (context: CaseContext) => Promise<void>;
}

/** `indicator.search.v1 400 limits: query.limit above maximum 2000`; unique. */
export const caseId = ({ operation, status, law, title }: Case): string =>
  `${operation.id} ${status} ${law}: ${title}`;
