import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./commands.ts";
import { fileName, packages } from "./pack.ts";
import { packageProblems } from "./package-problems.ts";
import type { Report } from "./report.ts";

interface Bill {
  readonly specVersion: string;
  readonly components: readonly { readonly name: string }[];
}

/** Checks the files of a release as somebody who downloads them. */
export async function checkFiles(folder: string, report: Report): Promise<void> {
  await report("the checksums of the files are right", async () => {
    await run(["sha256sum", "--check", "--strict", "SHA256SUMS"], {
      folder,
      environment: process.env,
    });
    const lines = readFileSync(join(folder, "SHA256SUMS"), "utf8").trim().split("\n");
    if (lines.length !== packages.length * 2) throw new Error(`${lines.length} files`);
  });
  for (const { name, version } of packages) {
    await report(`${name}: publint and arethetypeswrong find nothing`, async () => {
      const tarball = readFileSync(join(folder, `${fileName(name)}-${version}.tgz`));
      const problems = await packageProblems(tarball);
      if (problems.length > 0) throw new Error(problems.join("\n"));
    });
  }
  // One direct and one indirect dependency of each, and nothing of the tests.
  await report("the bills of materials list what packages bring", () => {
    const contents = {
      secplat: ["fastify", "pino", "@vue/runtime-core"],
      "@security-platform/server": ["fastify", "avvio", "@security-platform/fql"],
      "@security-platform/client": ["openapi-fetch", "openapi-typescript-helpers"],
    };
    const counts = Object.entries(contents).map(([name, expected]) => {
      const version = packages.find((each) => each.name === name)?.version ?? "";
      const file = join(folder, `${fileName(name)}-${version}.cdx.json`);
      const { components } = JSON.parse(readFileSync(file, "utf8")) as Bill;
      const names = new Set(components.map((each) => each.name));
      const missing = expected.filter((each) => !names.has(each));
      if (missing.length > 0) throw new Error(`${file} lacks ${missing.join(", ")}`);
      if (names.has("vitest")) throw new Error(`${file} lists vitest`);
      return `${name} ${names.size}`;
    });
    return Promise.resolve(counts.join(", "));
  });
}
