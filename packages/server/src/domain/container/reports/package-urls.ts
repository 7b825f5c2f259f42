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
  /** Only for packages of a distribution. */
  readonly architecture?: string | undefined;
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
  const { ecosystem = "", version, architecture } = named;
  const type = Object.hasOwn(types, ecosystem) ? types[ecosystem] : undefined;
  if (type === undefined || named.name === "") return undefined;
  const { group, name } = splitName(named);
  const qualifiers =
    architecture === undefined || architecture === "" ? undefined : { arch: architecture };
  try {
    return new PackageURL(
      type,
      group ?? namespaces[ecosystem],
      name,
      version === "" ? undefined : version,
      qualifiers,
      undefined,
    ).toString();
  } catch {
    return undefined;
  }
}
