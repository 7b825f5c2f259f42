/**
 * Generates src/generated/; with `--surface` also spec/surface.txt, the committed list of
 * operations.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeArtifacts } from "../src/generate/artifacts.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const folder = fileURLToPath(new URL("../src/generated/", import.meta.url));

const { files, surface } = await makeArtifacts(root);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
if (process.argv.includes("--surface")) writeFileSync(join(root, "spec/surface.txt"), surface);
