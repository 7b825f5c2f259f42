import { alpineVersions } from "./alpine.ts";
import { debianVersions } from "./debian.ts";
import { mavenVersions } from "./maven.ts";
import { nugetVersions } from "./nuget.ts";
import type { VersionOrdering } from "./ordering.ts";
import { pypiVersions } from "./pypi.ts";
import { rpmVersions } from "./rpm.ts";
import { rubygemsVersions } from "./rubygems.ts";
import { semanticVersions } from "./semantic.ts";

/** The ordering of each ecosystem, by the names that OSV records use. */
const orderings: Readonly<Record<string, VersionOrdering>> = {
  npm: semanticVersions,
  "crates.io": semanticVersions,
  Go: semanticVersions,
  PyPI: pypiVersions,
  Maven: mavenVersions,
  RubyGems: rubygemsVersions,
  NuGet: nugetVersions,
  Debian: debianVersions,
  Ubuntu: debianVersions,
  Alpine: alpineVersions,
  Wolfi: alpineVersions,
  Chainguard: alpineVersions,
  "Red Hat": rpmVersions,
  "Rocky Linux": rpmVersions,
  AlmaLinux: rpmVersions,
  SUSE: rpmVersions,
  openSUSE: rpmVersions,
};

/** Undefined if the ecosystem is unknown. The text after a colon is a release: `Debian:12`. */
export function orderingOf(ecosystem: string): VersionOrdering | undefined {
  const [name = ""] = ecosystem.split(":");
  return Object.hasOwn(orderings, name) ? orderings[name] : undefined;
}
