// `npm run draw`: draws the pictures of docs/architecture from the imports.
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { drawLayers } from "./draw-layers.ts";
import { drawings } from "./drawings.ts";

const root = resolve(import.meta.dirname, "..");
for (const [path, drawing] of Object.entries(drawings)) {
  writeFileSync(join(root, path), drawLayers(root, drawing));
  process.stdout.write(`${path}\n`);
}
