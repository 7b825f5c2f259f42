/** Bundles the package with the server, its types, and the database that platforms start with. */
import { fileURLToPath } from "node:url";
import { bundleDeclarations } from "../../../scripts/bundle-declarations.ts";
import { bundleWithServer } from "../../../scripts/server-bundle.ts";
import { makeTemplate } from "../src/make-template.ts";
import { writeTemplate } from "../src/template.ts";

const folder = fileURLToPath(new URL("..", import.meta.url));
const dist = fileURLToPath(new URL("../dist", import.meta.url));

// Tests import these themselves, and compare what they get from both.
const external = [/^@security-platform\/client(?:\/|$)/, /^vitest(?:\/|$)/];

await bundleWithServer({
  folder,
  entries: { index: "src/index.ts", portable: "src/portable.ts", vitest: "src/vitest.ts" },
  external,
});

await bundleDeclarations({ folder, entries: ["index", "portable", "vitest"], external });
await writeTemplate(await makeTemplate(), dist);
