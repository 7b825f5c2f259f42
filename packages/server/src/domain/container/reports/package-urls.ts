import { PackageURL } from "packageurl-js";

/** The type of package URLs of each ecosystem. */
const types: Readonly<Record<string, string>> = {
  npm: "npm",
  PyPI: "pypi",
  Maven: "maven",
  Go: "golang",
  "crates.io": "cargo",
  RubyGems: "gem",
  NuGet: "nuget",
  Debian: "deb",
  Ubuntu: "deb",
  Alpine: "apk",
  Wolfi: "apk",
  Chainguard: "apk",
  "Red Hat": "rpm",
  "Rocky Linux": "rpm",
  AlmaLinux: "rpm",
  SUSE: "rpm",
  openSUSE: "rpm",
};

/** The namespace of packages of a distribution. */
const namespaces: Readonly<Record<string, string>> = {
  Debian: "debian",
  Ubuntu: "ubuntu",
  Alpine: "alpine",
  Wolfi: "wolfi",
  Chainguard: "chainguard",
  "Red Hat": "redhat",
  "Rocky Linux": "rocky",
  AlmaLinux: "almalinux",
  SUSE: "suse",
  openSUSE: "opensuse",
};

export interface NamedPackage {
  readonly ecosystem: string | undefined;
  readonly name: string;
  readonly version: string;
  /** The architecture of a package of a distribution. */
  readonly architecture?: string | undefined;
  /** The distribution of the package, such as `debian-12`; absent for libraries. */
  readonly distribution?: string | undefined;
}

/** The qualifier `distro` for the packages of an operating system; undefined if it is unknown. */
export function distroOf(
  ecosystem: string | undefined,
  name: string,
  version: string,
): string | undefined {
  // Scanners report the ID of `/etc/os-release`, or a name for people.
  const id = /^[a-z0-9._-]+$/i.test(name) ? name.toLowerCase() : namespaces[ecosystem ?? ""];
  if (id === undefined) return undefined;
  return version === "" ? id : `${id}-${version}`;
}

/**
 * A name, split into group and component: `org.apache:log4j`, `@scope/name`,
 * `example.com/go/module`.
 */
export function splitName({ ecosystem, name }: NamedPackage): {
  readonly group: string | undefined;
  readonly name: string;
} {
  const separator = ecosystem === "Maven" ? ":" : "/";
  const at = ["Maven", "npm", "Go"].includes(ecosystem ?? "") ? name.lastIndexOf(separator) : -1;
  return at > 0
    ? { group: name.slice(0, at), name: name.slice(at + 1) }
    : { group: undefined, name };
}

/** The package URL, or undefined for packages without an ecosystem or a valid name. */
export function packageUrl(named: NamedPackage): string | undefined {
  const { ecosystem = "", architecture, distribution } = named;
  const type = Object.hasOwn(types, ecosystem) ? types[ecosystem] : undefined;
  if (type === undefined || named.name === "") return undefined;
  const { group, name } = splitName(named);
  const { epoch, version } = splitVersion(type, named.version);
  const qualifiers = Object.entries({ arch: architecture, distro: distribution, epoch }).filter(
    ([, value]) => value !== undefined && value !== "",
  );
  try {
    const url = new PackageURL(
      type,
      group ?? namespaces[ecosystem],
      name,
      version === "" ? undefined : version,
      qualifiers.length === 0
        ? undefined
        : (Object.fromEntries(qualifiers) as Record<string, string>),
      undefined,
    );
    // The library leaves it as it is in versions; many readers take it for a space.
    return url.toString().replaceAll("+", "%2B");
  } catch {
    return undefined;
  }
}

/** Package URLs of rpm have the epoch in a qualifier. */
function splitVersion(
  type: string,
  version: string,
): { readonly epoch: string | undefined; readonly version: string } {
  const [, epoch, rest] = (type === "rpm" ? /^(\d+):(.*)$/.exec(version) : null) ?? [];
  return { epoch, version: rest ?? version };
}
