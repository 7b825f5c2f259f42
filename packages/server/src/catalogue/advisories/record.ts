import { advisoryOf, type Advisory } from "../../domain/container/advisories/advisories.ts";
import type { OsvRecord, OsvSeverity } from "../../domain/container/advisories/osv.ts";

/**
 * From the first affected version to the first fixed one, or to the last affected one if there is no fix.
 * `0` is before all versions.
 */
type Range =
  | readonly [introduced: string, fixed?: string]
  | { readonly introduced: string; readonly last: string };

/** An advisory in brief; everything is taken from the published record, the summary excepted. */
export interface KnownAdvisory {
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly published: string;
  /** Default: as published. */
  readonly modified?: string;
  readonly summary: string;
  /** CVSS vectors. */
  readonly cvss?: readonly string[];
  /** What the sources of the record disagree on. */
  readonly uncertain?: string;
  /** The severity in words, for records without a vector. */
  readonly severity?: "LOW" | "MODERATE" | "HIGH" | "CRITICAL";
  readonly affected: readonly (readonly [
    ecosystem: string,
    name: string,
    ...ranges: readonly Range[],
  ])[];
}

/** Marks the records of the catalogue, as imports may store records with the same ids. */
const origin = "catalogue";

export function knownAdvisory(known: KnownAdvisory): Advisory {
  const { id, aliases = [], published, modified = published, summary } = known;
  const { cvss = [], severity, uncertain, affected } = known;
  return advisoryOf({
    id,
    modified,
    published,
    aliases,
    summary,
    severity: cvss.map(severityOf),
    affected: affected.map(([ecosystem, name, ...ranges]) => ({
      package: { ecosystem, name },
      ranges: ranges.map((range) => ({ type: "ECOSYSTEM" as const, events: eventsOf(range) })),
    })),
    references: [
      { type: "ADVISORY", url: pageOf(id) },
      ...[id, ...aliases].flatMap((name) => {
        const number = /CVE-\d{4}-\d+$/.exec(name)?.[0];
        return number === undefined
          ? []
          : [{ type: "ADVISORY", url: `https://nvd.nist.gov/vuln/detail/${number}` }];
      }),
    ],
    database_specific: {
      origin,
      ...(severity === undefined ? {} : { severity }),
      ...(uncertain === undefined ? {} : { uncertain }),
    },
  });
}

function eventsOf(range: Range) {
  if ("last" in range) return [{ introduced: range.introduced }, { last_affected: range.last }];
  const [introduced, fixed] = range;
  return [{ introduced }, ...(fixed === undefined ? [] : [{ fixed }])];
}

/** Whether a stored record stays: an imported one of the same or a later date, or a later one of any origin. */
export function isNewerThan(stored: OsvRecord, record: OsvRecord): boolean {
  const [left, right] = [Date.parse(stored.modified), Date.parse(record.modified)];
  return left > right || (left === right && stored.database_specific?.["origin"] !== origin);
}

const severityOf = (score: string): OsvSeverity => ({
  type: score.startsWith("CVSS:4") ? "CVSS_V4" : "CVSS_V3",
  score,
});

/** The page of an advisory at the database that published it. */
function pageOf(id: string): string {
  if (id.startsWith("GHSA-")) return `https://github.com/advisories/${id}`;
  if (id.startsWith("RHSA-")) return `https://access.redhat.com/errata/${id}`;
  if (id.startsWith("ALPINE-")) {
    return `https://security.alpinelinux.org/vuln/${id.slice("ALPINE-".length)}`;
  }
  return `https://security-tracker.debian.org/tracker/${id.replace(/^DEBIAN-/, "")}`;
}
