/** Things that a case needs beyond the API. The report lists missing ones. */
export type Need =
  /** Credentials of a second tenant. */
  | "other tenant"
  /** Credentials of a user of the first tenant who sees only a part of its records. */
  | "limited user"
  /** A token that has expired. */
  | "an expired token"
  /** A client with a scope besides the operation's. */
  | "second scope"
  /** A way to force 408, 431, 500, 503 and 507. */
  | "faults"
  /** The same, or a URL of the service that allows only a few requests a minute. */
  | "faults or a rate limit"
  /** Permission to create, change and delete records. */
  | "--allow-writes"
  /** A recipe that says how to build a valid request. */
  | "a recipe"
  /** The run ended before the case. */
  | "more time"
  /** A target that still responds. */
  | "a target that answers"
  /** A list that nobody writes to while the case reads it. */
  | "a list at rest"
  /** A rate limit that the run could wait for. */
  | "a higher rate limit"
  /** Records of a kind that no operation creates. */
  | `known ${string}`;
