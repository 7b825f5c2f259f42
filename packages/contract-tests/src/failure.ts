import type { Need } from "./need.ts";

/** One failure of a case. */
export interface Failure {
  readonly message: string;
  readonly expected?: string;
  readonly got?: string;
  /** The request as a shell command, with secrets replaced. */
  readonly request?: string;
}

/** Ends a case after a failure that makes the remaining checks pointless. */
export class CaseEnded extends Error {
  override readonly name = "CaseEnded";
}

/** Ends a case whose needs are not met; it counts as not run. */
export class CaseSkipped extends Error {
  override readonly name = "CaseSkipped";
  readonly need: Need;

  constructor(need: Need) {
    super(`needs ${need}`);
    this.need = need;
  }
}

/** Ends a case if its operation, or an operation that it depends on, returns 501. */
export class NotImplemented extends Error {
  override readonly name = "NotImplemented";
  readonly operation: string;

  constructor(operation: string) {
    super(`${operation} is not implemented by the target`);
    this.operation = operation;
  }
}

/** Ends a case whose list was written to by others while the case read it. */
export class ListMoved extends Error {
  override readonly name = "ListMoved";
}
