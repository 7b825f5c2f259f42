/** Compiles to dist/ and copies the generated documents there. */
import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("..", import.meta.url));
const generated = join(folder, "src/generated");
const compiler = fileURLToPath(
  new URL("../../../node_modules/typescript/bin/tsc", import.meta.url),
);

rmSync(join(folder, "dist"), { recursive: true, force: true });
execFileSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], {
  cwd: folder,
  stdio: "inherit",
});
for (const name of readdirSync(generated).filter((each) => !each.endsWith(".ts"))) {
  copyFileSync(join(generated, name), join(folder, "dist/generated", name));
}
