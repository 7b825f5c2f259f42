/** Prevents publishing a package without its documentation or its command. */
import { existsSync } from "node:fs";

for (const file of ["../dist/bin.js", "../dist/docs/index.html"]) {
  if (existsSync(new URL(file, import.meta.url))) continue;
  console.error(`secplat: ${file.slice(3)} is missing; run first: npm run build, at the root`);
  process.exitCode = 1;
}
