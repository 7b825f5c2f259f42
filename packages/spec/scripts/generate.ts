/**
 * Generates src/generated/. With `--surface`, also writes the committed lists of operations:
 * spec/surface.txt and spec/companion-surface.txt.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeArtifacts } from "../src/generate/artifacts.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const folder = fileURLToPath(new URL("../src/generated/", import.meta.url));

const { files, surfaces } = await makeArtifacts(root);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
if (process.argv.includes("--surface")) {
  for (const [name, text] of Object.entries(surfaces))
    writeFileSync(join(root, "spec", name), text);
}
