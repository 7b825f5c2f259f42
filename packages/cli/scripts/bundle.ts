/** Bundles the command. */
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleWithServer } from "../../../scripts/server-bundle.ts";
import { sourceHashes } from "../../../testing/secplat.ts";

const path = (place: string): string => fileURLToPath(new URL(place, import.meta.url));
const dist = path("../dist");

rmSync(dist, { recursive: true, force: true });
const { files } = await bundleWithServer({
  folder: path(".."),
  entries: { bin: "src/bin.ts" },
  // It prepares the process.
  programs: /[\\/]cli[\\/]src[\\/]bin\.ts$/,
});
chmodSync(`${dist}/bin.js`, 0o755);

// Tests run the bundle only if its sources are the same.
const root = path("../../..");
const hashed = files
  .map((file) => relative(root, file).replaceAll("\\", "/"))
  .filter((file) => file.startsWith("packages/"));
writeFileSync(`${dist}/sources.json`, JSON.stringify(sourceHashes(root, hashed)));
