import { createHash } from "node:crypto";
import { findSecrets, maskSecret } from "../../secrets/find-secrets.ts";
import type { Executable, FileReader, Findings, HighEntropyString } from "../findings.ts";
import type { Limits } from "../limits.ts";
import type { TarEntry } from "../read-tar.ts";
import { Meter, type Usage } from "../unpack.ts";
import { isElf, librariesInBinary } from "./binaries.ts";
import { java } from "./java.ts";
import {
  cargoLock,
  dotnetDependencies,
  gemfileLock,
  gemspec,
  npmLock,
  npmPackage,
  nugetLock,
  python,
  yarnLock,
} from "./libraries.ts";
import { rpm } from "./rpm.ts";
import { apk, dpkg, osRelease } from "./system-packages.ts";

const readers: readonly FileReader[] = [
  osRelease,
  dpkg,
  apk,
  rpm,
  npmPackage,
  npmLock,
  yarnLock,
  python,
  java,
  cargoLock,
  gemfileLock,
  gemspec,
  dotnetDependencies,
  nugetLock,
];

/** The reader of files with this path, if it is a file that declares packages. */
export const readerOf = (path: string): FileReader | undefined =>
  readers.find((reader) => reader.wants(path));

/** Maximum size of a text that is searched for secrets. */
const largestText = 512 * 1024;

/** Folders of packages, whose tests and documents contain unused keys. */
const ofPackages =
  /^(?:usr\/(?:share|include|src|lib\/(?:python|ruby|node_modules|go)|local\/(?:go|share|lib\/(?:python|node_modules|ruby)))|var\/lib\/(?:dpkg|apt|rpm)|lib\/apk|proc|sys)(?:\/|$)|(?:^|\/)(?:node_modules|site-packages|dist-packages|gems|vendor|\.git)\//;

/** Whether the content of a file is read, not only its path. */
export function isRead({ path, size, mode }: TarEntry, { fileBytes }: Limits): boolean {
  if (size > fileBytes || size === 0) return false;
  if (readerOf(path) !== undefined) return true;
  return (mode & 0o111) !== 0 || (size <= largestText && !ofPackages.test(path));
}

/** All findings of a file. */
export async function readFindings(
  { path, size, mode }: TarEntry,
  content: Buffer,
  limits: Limits,
  usage: Usage,
): Promise<Findings> {
  const meter = new Meter({ name: path, size: content.length }, limits, usage, "innerBytes");
  const reader = readerOf(path);
  const declared = (await reader?.read(path, content, meter)) ?? {};
  if (isElf(content)) {
    const libraries = [...(declared.libraries ?? []), ...librariesInBinary(content, meter)];
    return { ...declared, libraries, executable: executableOf(content, size, mode) };
  }
  const secrets = size > largestText || ofPackages.test(path) ? [] : secretsIn(path, content);
  return secrets.length === 0 ? declared : { ...declared, secrets };
}

function secretsIn(path: string, content: Buffer): readonly HighEntropyString[] {
  // Texts have no zero bytes.
  if (content.subarray(0, 8_192).includes(0)) return [];
  return findSecrets(content.toString("utf8"), path).map(({ line, pattern, name, secret }) => ({
    Line: line,
    RegexName: pattern,
    ...(name === "" ? {} : { Name: name }),
    Hash: `sha256:${createHash("sha256").update(secret).digest("hex")}`,
    String: maskSecret(secret),
  }));
}

const executableOf = (content: Buffer, size: number, mode: number): Executable => ({
  hash: createHash("sha256").update(content).digest("hex"),
  permissions: permissionsOf(mode),
  size,
});

/** The permissions of a file as `ls -l` shows them: `-rwxr-xr-x`. */
export function permissionsOf(mode: number): string {
  const bits = ["r", "w", "x", "r", "w", "x", "r", "w", "x"].map((letter, index) =>
    (mode & (1 << (8 - index))) === 0 ? "-" : letter,
  );
  const special: readonly (readonly [number, number, string])[] = [
    [0o4000, 2, "s"],
    [0o2000, 5, "s"],
    [0o1000, 8, "t"],
  ];
  for (const [bit, place, letter] of special) {
    if ((mode & bit) !== 0) bits[place] = bits[place] === "-" ? letter.toUpperCase() : letter;
  }
  return `-${bits.join("")}`;
}
