/**
 * An advisory in the OSV format (https://ossf.github.io/osv-schema), with the members that are
 * used.
 */
export interface OsvRecord {
  readonly id: string;
  /** RFC 3339. */
  readonly modified: string;
  readonly published?: string | null;
  /** Set once the advisory is no longer valid; it then matches nothing. RFC 3339. */
  readonly withdrawn?: string | null;
  readonly aliases?: readonly string[] | null;
  /** Advisories that this one repackages for a distribution. */
  readonly upstream?: readonly string[] | null;
  readonly summary?: string;
  readonly details?: string;
  readonly severity?: readonly OsvSeverity[] | null;
  readonly affected?: readonly OsvAffected[] | null;
  readonly references?: readonly { readonly type: string; readonly url: string }[] | null;
  readonly database_specific?: {
    readonly severity?: unknown;
    readonly [member: string]: unknown;
  } | null;
}

export interface OsvSeverity {
  /** `CVSS_V2`, `CVSS_V3`, `CVSS_V4`, or the name of another scheme. */
  readonly type: string;
  /** The CVSS vector, or the value in another scheme. */
  readonly score: string;
}

export interface OsvAffected {
  readonly package?: {
    /** Ecosystems with releases have the release after a colon: `Debian:12`. */
    readonly ecosystem: string;
    readonly name: string;
    readonly purl?: string;
  };
  readonly severity?: readonly OsvSeverity[] | null;
  readonly ranges?: readonly OsvRange[] | null;
  /** Affected versions in addition to the ranges. */
  readonly versions?: readonly string[] | null;
}

export interface OsvRange {
  readonly type: "SEMVER" | "ECOSYSTEM" | "GIT";
  readonly events: readonly OsvEvent[];
}

/** Exactly one member. `introduced: "0"` is before every version. */
export interface OsvEvent {
  readonly introduced?: string;
  readonly fixed?: string;
  readonly last_affected?: string;
  readonly limit?: string;
}
