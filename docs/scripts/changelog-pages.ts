import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Operation } from "@security-platform/spec";
import { code, joinBlocks } from "./reference/markdown.ts";
import { operationLink } from "./reference/places.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));

/** The changelog of the document, whose operations lead to their pages. */
export function documentChangelogPage(
  changelog: string,
  operations: readonly Pick<Operation, "id" | "method" | "path">[],
): string {
  const links = new Map(
    operations.map(({ id, method, path }) => [
      code(`${method.toUpperCase()} ${path}`),
      operationLink(id),
    ]),
  );
  const linked = changelog.replaceAll(/`[A-Z]+ \/[^`]*`/g, (text) => {
    const link = links.get(text);
    return link === undefined ? text : `[${text}](${link})`;
  });
  return joinBlocks([
    "---\nsearch: title\nkeywords: changelog history\noutline: 2\n---",
    linked
      .replace(
        /^# .*$/m,
        "# Changes of the document\n\nWhat changed for clients in each version of [openapi.json](/docs/openapi.json){target=_self}, as the [gate](/guides/gate) compared them.",
      )
      .trim(),
  ]);
}

/** The text of `spec/CHANGELOG.md`. */
export const documentChangelog = (): string => readFileSync(`${project}spec/CHANGELOG.md`, "utf8");

interface Package {
  readonly name: string;
  readonly changelog: string;
}

/** A changeset: what the next release says about some packages. */
export interface Changeset {
  readonly packages: readonly string[];
  readonly text: string;
}

export function readPackages(): readonly Package[] {
  const folders = readdirSync(`${project}packages`).toSorted();
  return folders.map((folder) => {
    const at = `${project}packages/${folder}`;
    const { name } = JSON.parse(readFileSync(`${at}/package.json`, "utf8")) as { name: string };
    return { name, changelog: readFileSync(`${at}/CHANGELOG.md`, "utf8") };
  });
}

export function readChangesets(): readonly Changeset[] {
  const files = readdirSync(`${project}.changeset`).filter((file) => file.endsWith(".md"));
  return files
    .toSorted()
    .map((file) => changesetOf(readFileSync(`${project}.changeset/${file}`, "utf8")));
}

/** Throws for a text that is not a changeset. */
export function changesetOf(source: string): Changeset {
  const [whole, front = ""] = /^---\n([^]*?)\n---\n/.exec(source) ?? [];
  if (whole === undefined) throw new Error(`a changeset has no front matter: ${source}`);
  const packages = [...front.matchAll(/^"?([^":]+)"?: \w+$/gm)].map(([, name = ""]) => name);
  return { packages, text: source.slice(whole.length).trim() };
}

/** What changed in the packages: what the next release will have, and the changelog of each. */
export function packageChangelogPage(
  packages: readonly Package[],
  changesets: readonly Changeset[],
): string {
  const next = changesets.map(
    ({ packages: names, text }) =>
      `- ${names.map((name) => code(name)).join(", ")}: ${oneLine(text)}`,
  );
  return joinBlocks([
    "---\nsearch: title\nkeywords: changelog release history\n---",
    "# Changes of the packages",
    "All packages have one version. What changes for clients of any language is in the [changes of the document](/reference/changelog).",
    ...(next.length === 0 ? [] : ["## Next release", next.join("\n")]),
    ...packages.map(({ name, changelog }) =>
      changelog
        .replace(/^# .*$/m, `## ${code(name)}`)
        .replaceAll(/^##(#?) (?!`)/gm, "###$1 ")
        .trim(),
    ),
  ]);
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");
