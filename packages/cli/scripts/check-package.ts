/** Prevents publishing a package without its command, its documentation, or the licences of what it bundles. */
import { existsSync } from "node:fs";

for (const file of [
  "../dist/bin.js",
  "../dist/THIRD-PARTY-NOTICES.txt",
  "../dist/docs/site.archive",
  "../dist/docs/THIRD-PARTY-NOTICES.txt",
]) {
  if (existsSync(new URL(file, import.meta.url))) continue;
  console.error(`secplat: ${file.slice(3)} is missing; run first: npm run build, at the root`);
  process.exitCode = 1;
}
