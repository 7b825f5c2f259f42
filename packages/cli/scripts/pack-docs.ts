/** Packs the built documentation site into the package: one archive, and the notices beside it. */
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packSite } from "../../../scripts/docs-archive.ts";
import { archiveName } from "../../server/src/http/docs-site/archive.ts";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const site = path("../../../docs/.vitepress/dist");
const folder = path("../dist/docs");
const notices = "THIRD-PARTY-NOTICES.txt";

rmSync(folder, { recursive: true, force: true });
if (existsSync(`${site}/index.html`)) {
  mkdirSync(folder);
  writeFileSync(join(folder, archiveName), await packSite(site));
  copyFileSync(join(site, notices), join(folder, notices));
} else {
  console.error(
    "secplat: the documentation site is not built, so it is left out; " +
      "build it first: npm run build -w @security-platform/docs",
  );
}
