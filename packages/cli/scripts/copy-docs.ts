/** Copies the built documentation site into the package. */
import { cpSync, existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const site = path("../../../docs/.vitepress/dist");

if (existsSync(`${site}/index.html`)) {
  cpSync(site, path("../dist/docs"), { recursive: true });
} else {
  console.error(
    "secplat: the documentation site is not built, so it is left out; " +
      "build it first: npm run build -w @security-platform/docs",
  );
}
