import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Verdict } from "../src/change.ts";
import type { LoadedDocument } from "../src/read/loaded-document.ts";
import { inFolder, writeDocument } from "../src/read/write-document.ts";

const program = join(
  dirname(fileURLToPath(import.meta.resolve("@redocly/cli/package.json"))),
  "bin/cli.js",
);
/** Without rules the command accepts everything. */
const configuration = JSON.stringify({ extends: ["diff-recommended"], telemetry: "off" });

/** The verdict of `redocly diff`. Throws an error if it gives none. */
export const redoclyDiff = (base: LoadedDocument, revision: LoadedDocument): Promise<Verdict> =>
  inFolder(async (folder) => {
    const documents = [
      writeDocument(base, join(folder, "base")),
      writeDocument(revision, join(folder, "revision")),
    ].map((path) => relative(folder, path));
    writeFileSync(join(folder, "redocly.yaml"), configuration);
    const output = ["--config", "redocly.yaml", "--format", "json", "--output", "report.json"];
    try {
      execFileSync(process.execPath, [program, "diff", ...documents, ...output], {
        cwd: folder,
        env: { ...process.env, REDOCLY_TELEMETRY: "off", NODE_OPTIONS: "" },
        stdio: "ignore",
        timeout: 120_000,
      });
    } catch {
      // The exit code says that the change is breaking, or the report is missing.
    }
    const report = JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) as {
      readonly bump: Verdict;
    };
    return report.bump;
  });
