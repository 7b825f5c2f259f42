import type { FileReader, Findings, Library } from "../findings.ts";

const string = (value: unknown): string => (typeof value === "string" ? value : "");
const members = (value: unknown): [string, unknown][] =>
  typeof value === "object" && value !== null ? Object.entries(value) : [];
const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/** Reads JSON; invalid files are ignored. */
const fromJson =
  (librariesOf: (value: unknown) => readonly Library[]) =>
  (_path: string, content: Buffer): Findings => {
    try {
      return { libraries: librariesOf(JSON.parse(content.toString("utf8"))) };
    } catch {
      return {};
    }
  };

const library = (
  type: Library["type"],
  name: string,
  version: string,
  license = "",
): readonly Library[] =>
  name === "" || version === ""
    ? []
    : [{ type, name, version, ...(license === "" ? {} : { license: license.slice(0, 1024) }) }];

/** Installed packages of npm. */
export const npmPackage: FileReader = {
  wants: (path) => /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path),
  read: fromJson((value) => {
    const license = member(value, "license");
    return library(
      "npm",
      string(member(value, "name")),
      string(member(value, "version")),
      string(license) || string(member(license, "type")),
    );
  }),
};

/** `package-lock.json` of all versions; development dependencies are omitted. */
export const npmLock: FileReader = {
  wants: (path) => /(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/.test(path),
  read: fromJson((value) => {
    const packages = members(member(value, "packages")).flatMap(([path, each]) => {
      const [, inPath] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
      if (inPath === undefined || member(each, "dev") === true || member(each, "link") === true) {
        return [];
      }
      return library(
        "npm",
        string(member(each, "name")) || inPath,
        string(member(each, "version")),
      );
    });
    return packages.length > 0 ? packages : oldDependencies(member(value, "dependencies"), 0);
  }),
};

function oldDependencies(value: unknown, depth: number): readonly Library[] {
  if (depth > 32) return [];
  return members(value).flatMap(([name, each]) =>
    member(each, "dev") === true
      ? []
      : [
          ...library("npm", name, string(member(each, "version"))),
          ...oldDependencies(member(each, "dependencies"), depth + 1),
        ],
  );
}

/** `yarn.lock` of both formats. */
export const yarnLock: FileReader = {
  wants: (path) => /(?:^|\/)yarn\.lock$/.test(path),
  read: (_path, content): Findings => {
    const libraries: Library[] = [];
    let name = "";
    for (const line of content.toString("utf8").split("\n")) {
      const [, first] = /^"?((?:@[^@/"]+\/)?[^@/"\s]+)@/.exec(line) ?? [];
      if (first !== undefined && line.endsWith(":")) name = first === "__metadata" ? "" : first;
      const [, version] = /^ {2}"?version"?:? "?([^"\s]+)"?$/.exec(line) ?? [];
      if (version === undefined || name === "") continue;
      // Berry lists the packages of the workspace itself.
      if (!version.startsWith("0.0.0-use.local")) libraries.push(...library("npm", name, version));
      name = "";
    }
    return { libraries };
  },
};

/** Installed packages of Python. */
export const python: FileReader = {
  wants: (path) => /\.dist-info\/METADATA$|\.egg-info\/PKG-INFO$|\.egg-info$/.test(path),
  read: (_path, content): Findings => {
    const [head = ""] = content.toString("utf8").split(/\r?\n\r?\n/, 1);
    const field = (name: string): string =>
      new RegExp(`^${name}:(.*)$`, "mi").exec(head)?.[1]?.trim() ?? "";
    return { libraries: library("pypi", field("Name"), field("Version"), field("License")) };
  },
};

/** `Cargo.lock`; packages without a source are those of the workspace itself. */
export const cargoLock: FileReader = {
  wants: (path) => /(?:^|\/)Cargo\.lock$/.test(path),
  read: (_path, content): Findings => {
    const [, ...blocks] = content.toString("utf8").split(/^\[\[package\]\]\s*$/m);
    const libraries = blocks.flatMap((block) => {
      const field = (name: string): string =>
        new RegExp(`^${name}\\s*=\\s*"([^"\\n]*)"`, "m").exec(block)?.[1] ?? "";
      return field("source") === "" ? [] : library("cargo", field("name"), field("version"));
    });
    return { libraries };
  },
};

/** `Gemfile.lock`: the gems of its sources, four spaces deep. */
export const gemfileLock: FileReader = {
  wants: (path) => /(?:^|\/)(?:Gemfile|gems)\.lock$|(?:^|\/)gems\.locked$/.test(path),
  read: (_path, content): Findings => {
    let inGems = false;
    const libraries: Library[] = [];
    for (const line of content.toString("utf8").split(/\r?\n/)) {
      if (/^\S/.test(line)) inGems = line === "GEM";
      const [, name = "", version = ""] = /^ {4}([\w.-]+) \(([^)]+)\)$/.exec(line) ?? [];
      // The platform follows the version: 1.15.4-x86_64-linux.
      if (inGems) libraries.push(...library("gem", name, version.split("-", 1)[0] ?? ""));
    }
    return { libraries };
  },
};

/** Installed gems. */
export const gemspec: FileReader = {
  wants: (path) => /(?:^|\/)specifications\/(?:default\/)?[^/]+\.gemspec$/.test(path),
  read: (_path, content): Findings => {
    const text = content.toString("utf8");
    const field = (name: string): string =>
      new RegExp(
        `^[ \\t]*s\\.${name}[ \\t]*=[ \\t]*(?:Gem::Version\\.new\\()?["']([^"'\\n]+)["']`,
        "m",
      ).exec(text)?.[1] ?? "";
    return { libraries: library("gem", field("name"), field("version")) };
  },
};

/** `*.deps.json`: the runtime dependencies of a .NET application. */
export const dotnetDependencies: FileReader = {
  wants: (path) => path.endsWith(".deps.json"),
  read: fromJson((value) =>
    members(member(value, "libraries")).flatMap(([key, each]) => {
      const [name = "", version = ""] = key.split("/");
      return member(each, "type") === "package" ? library("nuget", name, version) : [];
    }),
  ),
};

export const nugetLock: FileReader = {
  wants: (path) => /(?:^|\/)packages\.lock\.json$/.test(path),
  read: fromJson((value) =>
    members(member(value, "dependencies")).flatMap(([, framework]) =>
      members(framework).flatMap(([name, each]) =>
        string(member(each, "type")) === "Project"
          ? []
          : library("nuget", name, string(member(each, "resolved"))),
      ),
    ),
  ),
};
