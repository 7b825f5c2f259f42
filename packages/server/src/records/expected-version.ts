import { errors } from "../foundation/errors.ts";

/** The version that the caller of a change expects, and the stored version. */
export interface VersionCheck {
  /** The place of the expected version in the request: `body.expected_version`. */
  readonly at: string;
  /** The record's id. */
  readonly id: string;
  /** Undefined: the caller expects no particular version. */
  readonly expected: number | undefined;
  readonly current: number;
}

/**
 * Throws a 409 with the current version of each record whose version was not expected. Call it inside the
 * transaction of the change, with records from `getForUpdate`, so that no other change can come in between.
 */
export function requireVersions(noun: string, checks: readonly VersionCheck[]): void {
  const problems = checks.flatMap(({ at, id, expected, current }) => {
    if (expected === undefined || expected === current) return [];
    const message = `the ${noun} ${id} has version ${current}, not ${expected}; read it again and repeat the change`;
    return [{ at, id, message }];
  });
  if (problems.length > 0) throw errors.conflict(problems);
}
