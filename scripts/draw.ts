// `npm run draw`: draws the pictures of docs/architecture from the imports.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { cruiseSources, root } from "./architecture/cruise.ts";
import { drawRooms, pictures } from "./architecture/draw.ts";

const imports = await cruiseSources();
for (const [path, folder] of Object.entries(pictures)) {
  writeFileSync(join(root, path), drawRooms(imports, folder));
  process.stdout.write(`${path}\n`);
}
