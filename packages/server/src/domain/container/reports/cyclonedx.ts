import type { components } from "@security-platform/spec";
import { distributionOf, libraryEcosystem } from "../advisories/packages.ts";
import type { ImageVulnerability } from "../advisories/match.ts";
import type { ImageReport } from "../scans/scans.ts";
import { distroOf, packageUrl, splitName, type NamedPackage } from "./package-urls.ts";

type Bom = components["schemas"]["CyclonedxBom"];
type Component = components["schemas"]["CyclonedxComponent"];
type Vulnerability = components["schemas"]["CyclonedxVulnerability"];
type Rating = components["schemas"]["CyclonedxRating"];

const mostAffected = 1_000;

/** A report as a bill of materials, CycloneDX 1.6. */
export function toCyclonedx(report: ImageReport): Bom {
  const { ScanInfo, ImageInfo } = report;
  const { components: listed, references } = componentsOf(report);
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${ScanInfo.ScanUUID ?? ""}`,
    version: 1,
    metadata: {
      timestamp: ScanInfo.RequestedAt ?? "",
      component: {
        type: "container",
        "bom-ref": "image",
        name: [ImageInfo.Registry, ImageInfo.Repository].filter(Boolean).join("/") || "image",
        version: ImageInfo.Tag || ImageInfo.Digest,
      },
    },
    components: listed,
    vulnerabilities: vulnerabilitiesOf(report, references),
  };
}

/** Components by `<name>\n<version>`. The same package in several layers is one component. */
function componentsOf({ OSInfo, Packages, ApplicationPackages }: ImageReport): {
  readonly components: Component[];
  readonly references: ReadonlyMap<string, string>;
} {
  const distribution = distributionOf(OSInfo.Name, OSInfo.Version)?.ecosystem;
  const distro = distroOf(distribution, OSInfo.Name, OSInfo.Version);
  const references = new Map<string, string>();
  const listed = new Map<string, Component>();
  const add = (named: NamedPackage): void => {
    if (named.name === "") return;
    const purl = packageUrl(named);
    const reference = (purl ?? `package:${named.name}@${named.version}`).slice(0, 1_024);
    references.set(keyOf(named.name, named.version), reference);
    if (listed.has(reference)) return;
    const { group, name } = splitName(named);
    listed.set(reference, {
      type: "library",
      "bom-ref": reference,
      ...(group === undefined ? {} : { group }),
      name,
      ...(named.version === "" ? {} : { version: named.version }),
      ...(purl === undefined ? {} : { purl }),
    });
  };
  for (const { Product = "", MajorVersion = "", SoftwareArchitecture } of Packages) {
    add({
      ecosystem: distribution,
      name: Product,
      version: MajorVersion,
      architecture: SoftwareArchitecture,
      distribution: distro,
    });
  }
  for (const { type, libraries } of ApplicationPackages) {
    for (const { Name = "", Version = "", Path } of libraries) {
      add({ ecosystem: libraryEcosystem(type, Path), name: Name, version: Version });
    }
  }
  const system: Component = {
    type: "operating-system",
    "bom-ref": "operating-system",
    name: OSInfo.Name,
    version: OSInfo.Version,
  };
  const systems = OSInfo.Name === "" ? [] : [system];
  return { components: [...systems, ...listed.values()], references };
}

/** One entry for each vulnerability, with all affected components. */
function vulnerabilitiesOf(
  { Vulnerabilities }: ImageReport,
  references: ReadonlyMap<string, string>,
): Vulnerability[] {
  const entries = new Map<string, Vulnerability>();
  for (const { Vulnerability: vulnerability } of Vulnerabilities ?? []) {
    const { CVEID, Details, Product, FixedVersions = [] } = vulnerability;
    const ref = references.get(keyOf(Product.Product, Product.MajorVersion)) ?? "image";
    const entry = entries.get(CVEID);
    if (entry === undefined) {
      entries.set(CVEID, {
        id: CVEID,
        ...(Details.description === undefined ? {} : { description: Details.description }),
        ...(FixedVersions.length === 0
          ? {}
          : { recommendation: `Update ${Product.Product} to ${FixedVersions.join(" or ")}.` }),
        ratings: ratingsOf(Details),
        affects: [{ ref }],
      });
    } else if (
      entry.affects.length < mostAffected &&
      entry.affects.every((each) => each.ref !== ref)
    ) {
      entries.set(CVEID, { ...entry, affects: [...entry.affects, { ref }] });
    }
  }
  return [...entries.values()];
}

function ratingsOf({
  severity,
  cvss_v3_score,
  cvss_v2_score,
}: ImageVulnerability["Details"]): Rating[] {
  const scored = [cvss_v3_score, cvss_v2_score].flatMap((score): Rating[] =>
    score === undefined
      ? []
      : [
          {
            severity: score.severity,
            ...(score.base_score === undefined ? {} : { score: score.base_score }),
            method: methodOf(score.vector ?? ""),
            ...(score.vector === undefined ? {} : { vector: score.vector }),
          },
        ],
  );
  return scored.length > 0 ? scored : [{ severity, method: "other" }];
}

function methodOf(vector: string): NonNullable<Rating["method"]> {
  if (vector.startsWith("CVSS:3.1/")) return "CVSSv31";
  return vector.startsWith("CVSS:3.0/") ? "CVSSv3" : "CVSSv2";
}

function keyOf(name: string, version: string): string {
  return `${name}\n${version}`;
}
