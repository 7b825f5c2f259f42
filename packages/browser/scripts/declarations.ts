/** Bundles the declarations of the package, which the compiler has written. */
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";

const cwd = fileURLToPath(new URL("..", import.meta.url));
const dist = fileURLToPath(new URL("../dist", import.meta.url));
const declarations = `${dist}/declarations`;
/** Users install it. */
const client = /^@security-platform\/client(?:\/|$)/;

// Contains the types of the server and of the test double that the declarations name.
const own = /^(?:[./]|[A-Z]:|@security-platform\/(?:server|spec|testing)(?:\/|$))/i;
const types = await rolldown({
  cwd,
  input: { index: `${declarations}/index.d.ts` },
  external: (id) => !own.test(id),
  plugins: [dts({ dtsInput: true, oxc: true, tsconfig: false })],
  onLog: (_level, { message }) => {
    throw new Error(message);
  },
});
const declared = await types.write({ dir: dist, chunkFileNames: "[name].d.ts" });
rmSync(declarations, { recursive: true });
for (const file of declared.output) {
  const code = file.type === "chunk" ? file.code : "";
  for (const [, name = ""] of code.matchAll(/(?:from |import\()"([^"]+)"/g)) {
    if (name.startsWith("./") || client.test(name)) continue;
    throw new Error(`${file.fileName} has types of ${name}, which users do not install`);
  }
}
