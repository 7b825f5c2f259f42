/**
 * Tries the release: publishes every package to a registry on this machine, and uses each in empty
 * folders that know only this registry. `npm run release:check` prints each step and its result; with `-- --start` it
 * only starts the server with each Node.js.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeVersions, npm, run, stranger, type Place } from "./commands.ts";
import { checkFiles } from "./files.ts";
import { pack, packages, version } from "./pack.ts";
import { publish } from "./publish.ts";
import { startRegistry } from "./registry.ts";
import { createReport } from "./report.ts";
import { installAndServe, readPages, serve, type Served } from "./served.ts";
import { useClient } from "./uses/client.ts";
import { useContractTests } from "./uses/contract-tests.ts";
import { useExamples } from "./uses/examples.ts";
import { useGate } from "./uses/gate.ts";
import { useImage } from "./uses/image.ts";
import { useProgram } from "./uses/program.ts";
import { useServer } from "./uses/server.ts";
import { useTesting } from "./uses/testing.ts";

const { report, counts } = createReport(process.stdout);
const onlyStarts = process.argv.includes("--start");
const versionOf = (name: string): string =>
  packages.find((each) => each.name === name)?.version ?? "latest";
const [program = "", ...words] = npm("config", "get", "registry");
const upstream = execFileSync(program, words, { encoding: "utf8" }).trim();

if (process.platform === "linux" && process.arch === "x64") {
  const root = mkdtempSync(join(tmpdir(), "release-check-"));
  try {
    await using registry = await startRegistry(root, upstream);
    const place: Place = { root, registry: registry.url };
    const files = join(root, "files");
    await report("all packages: packed", () => pack(files));
    await checkFiles(files, report);
    await publish(files, "latest", report, registry);
    await report(
      "secplat: npm install of the tarball and serve, up to the first response",
      async () => {
        await using served = await installAndServe(place, join(files, `secplat-${version}.tgz`));
        await readPages(served);
        return `${served.seconds.toFixed(1)} s`;
      },
    );
    if (counts.failed === 0 && !onlyStarts) await useProgram(place, files, report);
    if (counts.failed === 0) await use(place, files);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  const { passed, failed, skipped } = counts;
  process.stdout.write(
    `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`,
  );
  process.exitCode = counts.failed === 0 ? 0 : 1;
} else {
  process.stdout.write("release:check is skipped: its runtimes are programs for Linux on x64\n");
}

async function use(place: Place, files: string): Promise<void> {
  let served: Served | undefined;
  for (const { name, folder } of nodeVersions()) {
    if (name === "Node.js 20") {
      await report(`secplat: ${name} is refused in one line`, async () => {
        const command = npm("exec", "--yes", "--", "secplat", "serve");
        const { stderr } = await run(command, stranger(place, folder), 1);
        if (!/^secplat: this is Node\.js 20\S*; expected .*\n$/.test(stderr))
          throw new Error(stderr);
      });
      continue;
    }
    await report(`secplat: npx secplat serve on ${name}, up to the first response`, async () => {
      await served?.[Symbol.asyncDispose]();
      served = undefined;
      served = await serve(place, folder);
      return `${served.seconds.toFixed(1)} s`;
    });
  }
  if (served === undefined) return;
  await using platform = served;
  if (onlyStarts) return;
  await useClient(place, platform, report);
  await useGate(place, versionOf("@security-platform/spec-gate"), report);
  await useContractTests(place, versionOf("@security-platform/contract-tests"), platform, report);
  await useServer(place, report);
  await useTesting(place, report);
  await useExamples(place, report);
  await useImage(place, files, platform, report);
}
