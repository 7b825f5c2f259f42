import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Template } from "@security-platform/server/portable";

const databaseFile = "template.db.gz";
const homeFile = "template.json";

/** Writes a template to a folder of built modules, for `openTemplate`. */
export async function writeTemplate({ bytes, ...home }: Template, folder: string): Promise<void> {
  await writeFile(join(folder, databaseFile), await promisify(gzip)(bytes, { level: 9 }));
  await writeFile(join(folder, homeFile), JSON.stringify(home));
}

/** The template that was built with the package. Sources have none and make it. */
export async function openTemplate(): Promise<Template> {
  if (import.meta.url.endsWith(".ts")) {
    const { makeTemplate } = await import("./make-template.ts");
    return makeTemplate();
  }
  const read = (name: string) => readFile(new URL(name, import.meta.url));
  const [bytes, home] = await Promise.all([read(databaseFile), read(homeFile)]);
  return {
    ...(JSON.parse(home.toString("utf8")) as Omit<Template, "bytes">),
    bytes: await promisify(gunzip)(bytes),
  };
}
