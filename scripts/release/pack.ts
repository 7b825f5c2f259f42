import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { billOf, packagesOf, type BillOfMaterials, type Contents } from "../bill-of-materials.ts";
import { releaseNotes } from "../release-notes.ts";
import { npm, run } from "./commands.ts";

const root = join(import.meta.dirname, "../..");
const here = { folder: root, environment: process.env };

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
}

interface Package extends Manifest {
  readonly folder: string;
}

const read = (...path: readonly string[]): string => readFileSync(join(root, ...path), "utf8");
const manifestOf = (folder: string): Manifest =>
  JSON.parse(read(folder, "package.json")) as Manifest;

/** The packages of the project that are published. All have one version. */
export const packages: readonly Package[] = (manifestOf(".").workspaces ?? [])
  .map((folder) => ({ ...manifestOf(folder), folder }))
  .filter(({ private: hidden }) => hidden !== true);

export const version = packages[0]?.version ?? "";

/** The name of a package in names of files. */
export const fileName = (name: string): string => name.replace("@", "").replace("/", "-");

/**
 * Writes the files of a release to a folder: a tarball and a bill of materials for each package, and the checksums
 * of all files in `SHA256SUMS`.
 */
export async function pack(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { stdout } = await run(npm("sbom", "--sbom-format", "cyclonedx"), here);
  const whole = JSON.parse(stdout) as BillOfMaterials;
  for (const each of packages) {
    await run(npm("pack", "--workspace", each.name, "--pack-destination", folder), here);
    const bill = billOf(whole, `${each.name}@${each.version}`, contentsOf(each));
    const file = `${fileName(each.name)}-${each.version}.cdx.json`;
    writeFileSync(join(folder, file), `${JSON.stringify(bill, null, 2)}\n`);
  }
  writeChecksums(folder);
}

/** The checksums of all files of a folder, as `sha256sum --check` reads them. */
export function writeChecksums(folder: string): void {
  const files = readdirSync(folder).filter((name) => name !== "SHA256SUMS");
  const lines = files.toSorted().map((name) => {
    const hash = createHash("sha256").update(readFileSync(join(folder, name)));
    return `${hash.digest("hex")}  ${name}\n`;
  });
  writeFileSync(join(folder, "SHA256SUMS"), lines.join(""));
}

/** The files with the notices say what a package bundles. */
function contentsOf({ folder, dependencies = {} }: Package): Contents {
  const notices = ["dist", "dist/docs"]
    .map((place) => join(folder, place, "THIRD-PARTY-NOTICES.txt"))
    .filter((file) => existsSync(join(root, file)));
  return {
    depends: Object.entries(dependencies).map(([each, at]) => `${each}@${at}`),
    bundles: [...new Set(notices.flatMap((file) => packagesOf(read(file))))],
  };
}

/** The notes of the current version. */
export const notes = (): string =>
  releaseNotes(
    packages.map(({ name, folder }) => ({ name, text: read(folder, "CHANGELOG.md") })),
    version,
  );
