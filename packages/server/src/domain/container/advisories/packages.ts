import type { components } from "@security-platform/spec";

type ImagePackage = components["schemas"]["ImagePackage"];
type ApplicationPackage = components["schemas"]["ApplicationPackage"];

/** The operating system of an image: the distribution and its version. */
export interface Distribution {
  /** Name of the ecosystem, as OSV writes it: `Debian`. */
  readonly ecosystem: string;
  /** The version as the image states it: `12.5`. */
  readonly version: string;
}

/** A name and version of a package as advisories use them. */
export interface PackageIdentity {
  /** The ecosystem without a release: `Debian`, `npm`. */
  readonly ecosystem: string;
  /** Normalised as the ecosystem compares names. */
  readonly name: string;
  readonly version: string;
}

/** Distributions by the `ID` of their os-release, and by words of their names. */
const distributions: readonly (readonly [pattern: RegExp, ecosystem: string])[] = [
  [/debian/, "Debian"],
  [/ubuntu/, "Ubuntu"],
  [/alpine/, "Alpine"],
  [/wolfi/, "Wolfi"],
  [/chainguard/, "Chainguard"],
  [/rocky/, "Rocky Linux"],
  [/alma/, "AlmaLinux"],
  [/opensuse/, "openSUSE"],
  [/suse|sles/, "SUSE"],
  [/red ?hat|rhel/, "Red Hat"],
];

/** Undefined for distributions without an ecosystem. */
export function distributionOf(name: string, version: string): Distribution | undefined {
  const lower = name.toLowerCase();
  const distribution = distributions.find(([pattern]) => pattern.test(lower));
  return distribution === undefined ? undefined : { ecosystem: distribution[1], version };
}

/** Reads `Debian GNU/Linux 12`: the name and the last word that starts with a digit. */
export function readDistribution(text: string): Distribution | undefined {
  const version = /(?:^|\s|:|-|v)(\d[\w.]*)/g;
  const versions = [...text.matchAll(version)].map(([, number = ""]) => number);
  return distributionOf(text, versions.at(-1) ?? "");
}

/**
 * Whether an advisory for a release applies to the distribution. `Debian:12` applies to 12.5,
 * `Alpine:v3.18` to 3.18.4, `Ubuntu:22.04:LTS` to 22.04, `Red Hat:enterprise_linux:9::baseos` to
 * 9.3.
 */
export function coversRelease(ecosystem: string, { version }: Distribution): boolean {
  const [, ...release] = ecosystem.split(":");
  if (release.length === 0) return true;
  const numbers = release.flatMap((part) => /(?:^|[\sv])(\d+(?:\.\d+)*)/.exec(part)?.[1] ?? []);
  const [number] = numbers;
  if (number === undefined) return false;
  if (ecosystem.includes(" SP") || ecosystem.includes("-SP")) {
    const pack = /SP(\d+)/.exec(ecosystem)?.[1];
    return version === `${number}.${pack}` || version === `${number} SP${pack}`;
  }
  return version === number || version.startsWith(`${number}.`);
}

/** Ecosystems by the names that scanners use for kinds of libraries. */
const libraryEcosystems: ReadonlyMap<string, string> = new Map([
  ["npm", "npm"],
  ["node", "npm"],
  ["nodejs", "npm"],
  ["javascript", "npm"],
  ["yarn", "npm"],
  ["pnpm", "npm"],
  ["pypi", "PyPI"],
  ["pip", "PyPI"],
  ["python", "PyPI"],
  ["maven", "Maven"],
  ["java", "Maven"],
  ["jar", "Maven"],
  ["gradle", "Maven"],
  ["go", "Go"],
  ["golang", "Go"],
  ["gobinary", "Go"],
  ["gomod", "Go"],
  ["cargo", "crates.io"],
  ["crates.io", "crates.io"],
  ["rust", "crates.io"],
  ["gem", "RubyGems"],
  ["rubygems", "RubyGems"],
  ["ruby", "RubyGems"],
  ["bundler", "RubyGems"],
  ["nuget", "NuGet"],
  ["dotnet", "NuGet"],
]);

/**
 * Ecosystems by the file that declares the library, for scanners that send a number as the kind.
 */
const declaringFiles: readonly (readonly [pattern: RegExp, ecosystem: string])[] = [
  [/(^|\/)(package(-lock)?\.json|yarn\.lock|pnpm-lock\.yaml)$/, "npm"],
  [/(^|\/)(METADATA|PKG-INFO|requirements[^/]*\.txt|Pipfile\.lock|poetry\.lock|uv\.lock)$/, "PyPI"],
  [/\.(jar|war|ear)$|(^|\/)pom\.(xml|properties)$/, "Maven"],
  [/(^|\/)go\.(mod|sum)$/, "Go"],
  [/(^|\/)Cargo\.lock$/, "crates.io"],
  [/(^|\/)Gemfile\.lock$|\.gemspec$/, "RubyGems"],
  [/\.deps\.json$|\.nupkg$|(^|\/)packages\.(lock\.json|config)$/, "NuGet"],
];

/** Undefined if neither the kind nor the declaring file identifies an ecosystem. */
export function libraryEcosystem(type: ApplicationPackage["type"], path = ""): string | undefined {
  const named = typeof type === "string" ? libraryEcosystems.get(type.toLowerCase()) : undefined;
  return named ?? declaringFiles.find(([pattern]) => pattern.test(path))?.[1];
}

/** The name in the normalised form of the ecosystem. */
export function canonicalName(ecosystem: string, name: string): string {
  switch (ecosystem) {
    case "PyPI":
      return name.toLowerCase().replaceAll(/[-_.]+/g, "-");
    case "NuGet":
      return name.toLowerCase();
    default:
      return name;
  }
}

/**
 * The identities of a package of an operating system. Advisories of Debian, Ubuntu and Alpine name
 * source packages, others binary packages; both are looked up.
 */
export function identitiesOf(
  { Product, MajorVersion, PackageSource }: ImagePackage,
  { ecosystem }: Distribution,
): readonly PackageIdentity[] {
  const [source = "", version] = (PackageSource ?? "").trim().split(/\s+/);
  const sourceVersion = version?.replace(/^\((.*)\)$/, "$1") ?? MajorVersion;
  const candidates = [
    { name: Product ?? "", version: MajorVersion ?? "" },
    { name: source, version: sourceVersion ?? "" },
  ];
  const listedNames = new Set<string>();
  return candidates.flatMap(({ name, version: text }) => {
    if (name === "" || listedNames.has(name)) return [];
    listedNames.add(name);
    return [{ ecosystem, name: canonicalName(ecosystem, name), version: text }];
  });
}

/** The key under which the advisories of a package are found. */
export function packageKey(ecosystem: string, name: string): string {
  const [family = ""] = ecosystem.split(":");
  return `${family}:${canonicalName(family, name)}`;
}
