/** Checks the types of all packages. A second run checks only what has changed. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const path = (place: string): string => fileURLToPath(new URL(place, import.meta.url));

/** `spec-gate` and `docs` need other libraries of types. */
const projects = {
  packages: path("../tsconfig.packages.json"),
  "spec-gate": path("../packages/spec-gate"),
  docs: path("../docs"),
};

for (const [name, project] of Object.entries(projects)) {
  const state = path(`../node_modules/.cache/types/${name}.tsbuildinfo`);
  const { status } = spawnSync(
    process.execPath,
    [
      path("../node_modules/typescript/bin/tsc"),
      "--project",
      project,
      "--checkers",
      "1",
      "--incremental",
      "--tsBuildInfoFile",
      state,
      "--noEmit",
      // The builds check the declarations.
      "--declaration",
      "false",
    ],
    {
      stdio: "inherit",
      // A third of the compiler's time is garbage collection, which frees little of its memory.
      env: { GOGC: "off", GOMEMLIMIT: "3GiB", ...process.env },
    },
  );
  if (status !== 0) process.exitCode = 1;
}
