import type { FileReader, Findings, SystemPackage } from "../findings.ts";

/** `/etc/os-release`: the distribution. */
export const osRelease: FileReader = {
  wants: (path) => path === "etc/os-release" || path === "usr/lib/os-release",
  read: (_path, content): Findings => {
    const values = new Map<string, string>();
    for (const line of content.toString("utf8").split("\n")) {
      const [, name = "", value = ""] = /^([A-Z_]+)=(.*)$/.exec(line.trim()) ?? [];
      values.set(name, value.replace(/^(["'])(.*)\1$/, "$2"));
    }
    const name = values.get("ID") ?? "";
    if (name === "") return {};
    const version = values.get("VERSION_ID") ?? debianRelease(values) ?? "";
    return { system: { name: name.slice(0, 128), version: version.slice(0, 128) } };
  },
};

/** Testing and unstable releases of Debian only have a code name. */
const debianReleases: Readonly<Record<string, string>> = {
  buster: "10",
  bullseye: "11",
  bookworm: "12",
  trixie: "13",
  forky: "14",
};

function debianRelease(values: ReadonlyMap<string, string>): string | undefined {
  const name =
    values.get("VERSION_CODENAME") ??
    /^(?:.*\s)?(\w+)\/sid$/.exec(values.get("PRETTY_NAME") ?? "")?.[1];
  return name !== undefined && Object.hasOwn(debianReleases, name)
    ? debianReleases[name]
    : undefined;
}

/** The database of dpkg; images without a package manager have a file for each package. */
export const dpkg: FileReader = {
  wants: (path) =>
    path === "var/lib/dpkg/status" || /^var\/lib\/dpkg\/status\.d\/[^/]+$/.test(path),
  read: (path, content): Findings => {
    if (path.endsWith(".md5sums")) return {};
    const packages = stanzasOf(content.toString("utf8"), /^([A-Za-z][\w-]*):(.*)$/).flatMap(
      (fields): SystemPackage[] => {
        const name = fields.get("Package") ?? "";
        const version = fields.get("Version") ?? "";
        const status = fields.get("Status");
        // Removed packages remain in the database with their configuration.
        if (name === "" || (status !== undefined && !status.endsWith(" installed"))) return [];
        const source = /^(\S+)(?:\s+\(([^)]+)\))?/.exec(fields.get("Source") ?? name);
        return [
          {
            Product: name,
            MajorVersion: version,
            PackageSource: `${source?.[1] ?? name} ${source?.[2] ?? version}`,
            ...optional("SoftwareArchitecture", fields.get("Architecture")),
            ...optional("Status", status),
          },
        ];
      },
    );
    return { packages: clipped(packages) };
  },
};

/** The database of apk. */
export const apk: FileReader = {
  wants: (path) => path === "lib/apk/db/installed" || path === "usr/lib/apk/db/installed",
  read: (_path, content): Findings => {
    const packages = stanzasOf(content.toString("utf8"), /^([A-Za-z]):(.*)$/).flatMap(
      (fields): SystemPackage[] => {
        const name = fields.get("P") ?? "";
        const version = fields.get("V") ?? "";
        if (name === "") return [];
        return [
          {
            Product: name,
            MajorVersion: version,
            PackageSource: `${fields.get("o") ?? name} ${version}`,
            ...optional("SoftwareArchitecture", fields.get("A")),
          },
        ];
      },
    );
    return { packages: clipped(packages) };
  },
};

/** Paragraphs of `name: value` lines; continuation lines are skipped. */
function stanzasOf(text: string, line: RegExp): readonly ReadonlyMap<string, string>[] {
  return text.split(/\n\s*\n/).map((paragraph) => {
    const fields = new Map<string, string>();
    for (const each of paragraph.split("\n")) {
      const [, name, value = ""] = line.exec(each) ?? [];
      // Only the first one counts, because the files of the package follow in the same paragraph.
      if (name !== undefined && !fields.has(name)) fields.set(name, value.trim());
    }
    return fields;
  });
}

function optional<Name extends string>(
  name: Name,
  value: string | undefined,
): Partial<Record<Name, string>> {
  return value === undefined || value === "" ? {} : ({ [name]: value } as Record<Name, string>);
}

const lengths: Readonly<Record<string, number>> = {
  Product: 512,
  MajorVersion: 256,
  PackageSource: 512,
  SoftwareArchitecture: 64,
  Status: 128,
  Vendor: 256,
};

/** Truncates texts to the maximum length of the API. */
export const clipped = (packages: readonly SystemPackage[]): readonly SystemPackage[] =>
  packages.map(
    (each) =>
      Object.fromEntries(
        Object.entries(each).map(([name, value]) => [
          name,
          typeof value === "string" ? value.slice(0, lengths[name] ?? 256) : value,
        ]),
      ) as SystemPackage,
  );
