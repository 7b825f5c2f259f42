/**
 * Writes `spec/CHANGELOG.md`: what changed in the document, by version. Run it after `info.version` was raised.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../..", import.meta.url));
const gate = join(project, "packages/spec-gate/src/bin.ts");
const words = ["changelog", "spec/openapi.yaml", "--output", "spec/CHANGELOG.md"];
execFileSync(process.execPath, ["--conditions=@security-platform/source", gate, ...words], {
  cwd: project,
  stdio: "inherit",
});
