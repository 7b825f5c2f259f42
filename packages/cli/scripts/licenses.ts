import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes the licences of the bundled packages, which must accompany their code. */
export function writeLicenses(moduleIds: readonly string[], file: string): void {
  const folders = new Set(moduleIds.flatMap((id) => packageFolder.exec(id)?.[0] ?? []));
  const sections = [...folders].map((folder) => sectionOf(folder)).toSorted();
  writeFileSync(file, sections.join(`\n${"-".repeat(80)}\n\n`));
}

const packageFolder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;

function sectionOf(folder: string): string {
  const manifest = readFileSync(join(folder, "package.json"), "utf8");
  const { name, version, license } = JSON.parse(manifest) as Record<string, string>;
  const texts = readdirSync(folder)
    .filter((each) => /^(?:licen[cs]e|notice)(?:[.-]|$)/i.test(each))
    .map((each) => readFileSync(join(folder, each), "utf8").trim());
  return `${[`${name} ${version}, license: ${license}`, ...texts].join("\n\n")}\n`;
}
