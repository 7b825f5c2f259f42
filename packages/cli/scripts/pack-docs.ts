/** Copies the built documentation site into the package, where `secplat serve` finds it. */
import { cpSync, existsSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const site = folder("../../../docs/.vitepress/dist");
const packed = folder("../dist/docs");

rmSync(packed, { recursive: true, force: true });
if (existsSync(`${site}/index.html`)) {
  cpSync(site, packed, { recursive: true });
} else {
  console.error(
    "secplat: the documentation site is not built, so it is left out; " +
      "build it first: npm run build -w @security-platform/docs",
  );
  if (process.argv.includes("--required")) process.exitCode = 1;
}
