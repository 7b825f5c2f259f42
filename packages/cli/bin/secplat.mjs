#!/usr/bin/env node
// Exists before the build, so that npm can link it: `npx secplat` in a fresh clone says what to do.
import { existsSync } from "node:fs";

const built = new URL("../dist/bin.js", import.meta.url);
if (existsSync(built)) {
  await import(built.href);
} else {
  console.error("secplat: the command is not built yet; run once: npm run build");
  process.exitCode = 1;
}
