import type { components } from "@security-platform/spec";
import { pause } from "../../../foundation/work-turns.ts";
import { orderingOf } from "../versions/ecosystems.ts";
import { compareText, type ParsedVersion, type VersionOrdering } from "../versions/ordering.ts";
import type { Advisory } from "./advisories.ts";
import { verdictFor } from "./affected.ts";
import {
  canonicalName,
  coversRelease,
  identitiesOf,
  libraryEcosystem,
  packageKey,
  type Distribution,
  type PackageIdentity,
} from "./packages.ts";
import { ratingsOf, type Ratings } from "./ratings.ts";
import { worstFirst } from "./severity.ts";

type ImagePackage = components["schemas"]["ImagePackage"];
type ApplicationPackage = components["schemas"]["ApplicationPackage"];
export type ImageVulnerability = components["schemas"]["ImageVulnerability"];

export interface Contents {
  readonly packages: readonly ImagePackage[];
  readonly applications: readonly ApplicationPackage[];
  /** Undefined for distributions without advisories; their packages are not matched. */
  readonly distribution: Distribution | undefined;
}

/** A package or library that could not be matched. */
type Unmatched = components["schemas"]["UnmatchedPackage"];

export interface Matches {
  /** The most severe first. */
  readonly vulnerabilities: readonly ImageVulnerability[];
  readonly unmatched: readonly Unmatched[];
}

/** The advisories for any of these packages. */
export type FindAdvisories = (keys: readonly string[]) => AsyncIterable<readonly Advisory[]>;

/** An installed package or library, with all identities that advisories may use for it. */
interface Subject {
  readonly identities: readonly Readable[];
  readonly product: ImageVulnerability["Product"];
  readonly layerHash: string | undefined;
  readonly distribution: Distribution | undefined;
}

interface Readable extends PackageIdentity {
  readonly parsed: ParsedVersion;
  readonly ordering: VersionOrdering;
}

/** Finds the known vulnerabilities of packages and libraries. */
export async function matchContents(contents: Contents, find: FindAdvisories): Promise<Matches> {
  const unmatched: Unmatched[] = [];
  const byKey = new Map<string, { readonly subject: Subject; readonly identity: Readable }[]>();
  for (const subject of subjectsOf(contents)) {
    await pause();
    if ("Reason" in subject) {
      unmatched.push(subject);
      continue;
    }
    for (const identity of subject.identities) {
      const key = packageKey(identity.ecosystem, identity.name);
      const entries = byKey.get(key) ?? [];
      entries.push({ subject, identity });
      byKey.set(key, entries);
    }
  }
  const bySubject = new Map<Subject, Map<string, ImageVulnerability>>();
  for await (const advisories of find([...byKey.keys()])) {
    for (const advisory of advisories) {
      for (const key of advisory.packages) {
        for (const { subject, identity } of byKey.get(key) ?? []) {
          await pause();
          addVulnerabilities(bySubject, subject, identity, advisory);
        }
      }
    }
  }
  const vulnerabilities = [...bySubject.values()].flatMap((each) => [...each.values()]);
  return { vulnerabilities: vulnerabilities.toSorted(bySeverity), unmatched };
}

function* subjectsOf({
  packages,
  applications,
  distribution,
}: Contents): Iterable<Subject | Unmatched> {
  for (const each of packages) yield packageSubject(each, distribution);
  for (const { type, libraries } of applications) {
    for (const library of libraries) yield librarySubject(type, library);
  }
}

function packageSubject(
  each: ImagePackage,
  distribution: Distribution | undefined,
): Subject | Unmatched {
  const { Product = "", MajorVersion = "", PackageSource = "", Vendor, LayerHash } = each;
  const unmatched = (Reason: Unmatched["Reason"]) => ({ Product, MajorVersion, Reason });
  if (Product === "" && PackageSource === "") return unmatched("no name");
  if (distribution === undefined) return unmatched("no ecosystem");
  const identities = identitiesOf(each, distribution);
  if (identities.every(({ version }) => version === "")) return unmatched("no version");
  const readable = identities.flatMap(readVersion);
  if (readable.length === 0) return unmatched("unreadable version");
  return {
    identities: readable,
    product: {
      Product,
      MajorVersion,
      PackageSource,
      ...(Vendor === undefined ? {} : { Vendor }),
    },
    layerHash: LayerHash,
    distribution,
  };
}

function librarySubject(
  type: ApplicationPackage["type"],
  { Name = "", Version = "", Path, LayerHash }: ApplicationPackage["libraries"][number],
): Subject | Unmatched {
  const unmatched = (Reason: Unmatched["Reason"]) => ({
    Product: Name,
    MajorVersion: Version,
    Reason,
  });
  const ecosystem = libraryEcosystem(type, Path);
  if (Name === "") return unmatched("no name");
  if (ecosystem === undefined) return unmatched("no ecosystem");
  if (Version === "") return unmatched("no version");
  const name = canonicalName(ecosystem, Name);
  const identities = readVersion({ ecosystem, name, version: Version });
  if (identities.length === 0) return unmatched("unreadable version");
  return {
    identities,
    product: { Product: Name, MajorVersion: Version, PackageSource: String(type) },
    layerHash: LayerHash,
    distribution: undefined,
  };
}

function readVersion(identity: PackageIdentity): Readable[] {
  const ordering = orderingOf(identity.ecosystem);
  const parsed = ordering?.parse(identity.version);
  return ordering === undefined || parsed === undefined ? [] : [{ ...identity, parsed, ordering }];
}

function addVulnerabilities(
  bySubject: Map<Subject, Map<string, ImageVulnerability>>,
  subject: Subject,
  identity: Readable,
  advisory: Advisory,
): void {
  if (typeof advisory.withdrawn === "string") return;
  for (const affected of advisory.affected ?? []) {
    const named = affected.package;
    if (named === undefined) continue;
    if (packageKey(named.ecosystem, named.name) !== packageKey(identity.ecosystem, identity.name)) {
      continue;
    }
    const { distribution } = subject;
    if (distribution !== undefined && !coversRelease(named.ecosystem, distribution)) continue;
    const verdict = verdictFor(affected, identity.version, identity.parsed, identity.ordering);
    if (!verdict.affected) continue;
    const ratings = ratingsOf(advisory, affected);
    for (const name of namesOf(advisory)) {
      const ofSubject = bySubject.get(subject) ?? new Map<string, ImageVulnerability>();
      bySubject.set(subject, ofSubject);
      const next = vulnerabilityOf(name, advisory, ratings, subject, verdict.fixed);
      const before = ofSubject.get(name);
      ofSubject.set(name, before === undefined ? next : merge(before, next));
    }
  }
}

/** The CVE numbers of an advisory, or its own identifier if it has none. */
function namesOf({ id, aliases, upstream }: Advisory): readonly string[] {
  const names = [id, ...(aliases ?? []), ...(upstream ?? [])];
  const numbers = new Set(names.flatMap((name) => /CVE-\d{4}-\d{4,}$/.exec(name)?.[0] ?? []));
  return numbers.size > 0 ? [...numbers] : [id];
}

function vulnerabilityOf(
  name: string,
  advisory: Advisory,
  { severity, cvss_v2_score, cvss_v3_score }: Ratings,
  { product, layerHash }: Subject,
  fixed: readonly string[],
): ImageVulnerability {
  const { summary, details, published, references } = advisory;
  const description = summary ?? details;
  return {
    CVEID: name,
    Details: {
      severity,
      ...(cvss_v3_score === undefined ? {} : { cvss_v3_score }),
      ...(cvss_v2_score === undefined ? {} : { cvss_v2_score }),
      ...(description === undefined ? {} : { description: description.slice(0, 4096) }),
      ...(typeof published === "string" ? { published_date: published } : {}),
      ...(references == null ? {} : { references: references.slice(0, 20).map(({ url }) => url) }),
    },
    Product: product,
    FixedVersions: [...fixed],
    ...(layerHash === undefined ? {} : { LayerHash: layerHash }),
  };
}

/**
 * Merges entries of several databases for one vulnerability: keeps the entry with a rating, and all
 * fixes.
 */
function merge(one: ImageVulnerability, other: ImageVulnerability): ImageVulnerability {
  const worst = worstFirst(one.Details.severity, other.Details.severity) <= 0 ? one : other;
  const fixes = new Set([...(one.FixedVersions ?? []), ...(other.FixedVersions ?? [])]);
  return {
    ...worst,
    Details: { ...one.Details, ...other.Details, ...worst.Details },
    FixedVersions: [...fixes].slice(0, 100),
  };
}

function bySeverity(left: ImageVulnerability, right: ImageVulnerability): number {
  return (
    worstFirst(left.Details.severity, right.Details.severity) ||
    (right.Details.cvss_v3_score?.base_score ?? 0) -
      (left.Details.cvss_v3_score?.base_score ?? 0) ||
    compareText(left.CVEID, right.CVEID) ||
    compareText(left.Product.Product, right.Product.Product)
  );
}
