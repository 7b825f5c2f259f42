import { createHash } from "node:crypto";
import { createReadStream, readdirSync, readFileSync, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { describeFile, type DocsContent, type DocsFile, type DocsFilesByName } from "./files.ts";

/** Encodings of the compressed files that a build may write next to a file, the better ones first. */
const encodings = [
  { name: "br", suffix: ".br" },
  { name: "gzip", suffix: ".gz" },
] as const;

/**
 * The files of a folder. A request can only reach these files: its path is looked up and never becomes a file path.
 */
export function filesOfFolder(folder: string): DocsFilesByName {
  const names = new Set(
    filesBelow(folder).map((path) => relative(folder, path).replaceAll(sep, "/")),
  );
  const served = [...names].filter(
    (name) =>
      !encodings.some(
        ({ suffix }) => name.endsWith(suffix) && names.has(name.slice(0, -suffix.length)),
      ),
  );
  return new Map(served.map((name) => [name, fileOf(folder, name, names)]));
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

function fileOf(folder: string, name: string, names: ReadonlySet<string>): DocsFile {
  const path = join(folder, name);
  const described = describeFile(name);
  return {
    ...described,
    tag: tagOf(path, described.immutable),
    contents: new Map([
      ...encodings.flatMap(({ name: encoding, suffix }) =>
        names.has(name + suffix) ? [[encoding, () => contentOf(path + suffix)] as const] : [],
      ),
      ["identity", () => contentOf(path)],
    ]),
  };
}

const contentOf = async (path: string): Promise<DocsContent> => ({
  size: (await stat(path)).size,
  open: () => createReadStream(path),
});

/** The tag depends on the content, so that a rebuilt site keeps the tags of unchanged pages. */
function tagOf(path: string, immutable: boolean): string {
  const content = immutable ? `${path} ${statSync(path).size}` : readFileSync(path);
  return createHash("sha256").update(content).digest("base64url").slice(0, 22);
}
