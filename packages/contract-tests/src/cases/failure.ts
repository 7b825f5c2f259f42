/** One thing that a case found wrong. */
export interface Failure {
  readonly message: string;
  readonly expected?: string;
  readonly got?: string;
  /** The request as a shell command, secrets replaced. */
  readonly request?: string;
}

/** Ends a case whose failure is noted already. */
export class CaseEnded extends Error {
  override readonly name = "CaseEnded";
}
