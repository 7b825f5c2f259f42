/** Bundles the package with the server, its types, and the database that platforms start with. */
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { bundleWithServer } from "../../../scripts/server-bundle.ts";
import { makeTemplate } from "../src/make-template.ts";
import { writeTemplate } from "../src/template.ts";

const folder = fileURLToPath(new URL("..", import.meta.url));
const dist = fileURLToPath(new URL("../dist", import.meta.url));
const declarations = `${dist}/declarations`;

// Tests import these themselves, and compare what they get from both.
const external = [/^@security-platform\/client(?:\/|$)/, /^vitest(?:\/|$)/];

await bundleWithServer({
  folder,
  entries: { index: "src/index.ts", portable: "src/portable.ts", vitest: "src/vitest.ts" },
  external,
});

// Contains the types of the server that the declarations name, so that users do not install it.
const types = await rolldown({
  cwd: folder,
  input: {
    index: `${declarations}/index.d.ts`,
    portable: `${declarations}/portable.d.ts`,
    vitest: `${declarations}/vitest.d.ts`,
  },
  external: (id) => !/^(?:[./]|[A-Z]:|@security-platform\/(?:server|spec)(?:\/|$))/i.test(id),
  plugins: [dts({ dtsInput: true, oxc: true, tsconfig: false })],
  onLog: (_level, { message }) => {
    throw new Error(message);
  },
});
const { output } = await types.write({ dir: dist, chunkFileNames: "[name].d.ts" });
rmSync(declarations, { recursive: true });
for (const file of output) {
  const code = file.type === "chunk" ? file.code : "";
  for (const [, name = ""] of code.matchAll(/(?:from |import\()"([^"]+)"/g)) {
    if (name.startsWith("./") || external.some((each) => each.test(name))) continue;
    throw new Error(`${file.fileName} has types of ${name}, which users do not install`);
  }
}

await writeTemplate(await makeTemplate(), dist);
