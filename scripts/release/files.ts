import { readFileSync } from "node:fs";
import { join } from "node:path";
import { npm, run } from "./commands.ts";
import { fileName, packages, version } from "./pack.ts";
import { packageProblems } from "./package-problems.ts";
import type { Report } from "./report.ts";

/** `npx secplat serve` downloads and unpacks the package before its first response. */
const largest = { bytesPacked: 9_000_000, bytesUnpacked: 30_000_000, files: 1_500 };

interface Packed {
  readonly size: number;
  readonly unpackedSize: number;
  readonly entryCount: number;
}

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
  for (const { name } of packages) {
    await report(`${name}: publint and arethetypeswrong find nothing`, async () => {
      const tarball = readFileSync(join(folder, `${fileName(name)}-${version}.tgz`));
      const problems = await packageProblems(tarball);
      if (problems.length > 0) throw new Error(problems.join("\n"));
    });
  }
  await report("secplat: the package is small", async () => {
    const file = join(folder, `secplat-${version}.tgz`);
    const { stdout } = await run(npm("pack", file, "--dry-run", "--json", "--ignore-scripts"), {
      folder,
      environment: process.env,
    });
    const [packed] = JSON.parse(stdout) as readonly Packed[];
    if (packed === undefined) throw new Error(`npm described no package: ${stdout}`);
    const { size, unpackedSize, entryCount } = packed;
    const found = { bytesPacked: size, bytesUnpacked: unpackedSize, files: entryCount };
    const text = `${megabytes(size)} packed, ${megabytes(unpackedSize)} unpacked, ${entryCount} files`;
    const names = Object.keys(largest) as (keyof typeof largest)[];
    if (names.some((name) => !(found[name] <= largest[name]))) {
      const { bytesPacked, bytesUnpacked, files } = largest;
      throw new Error(
        `${text}; expected at most ${megabytes(bytesPacked)} packed, ${megabytes(bytesUnpacked)} unpacked, ${files} files`,
      );
    }
    return text;
  });
  // One direct and one indirect dependency of each, and nothing of the tests.
  await report("the bills of materials list what packages bring", () => {
    const contents = {
      secplat: ["fastify", "pino", "@vue/runtime-core"],
      "@security-platform/server": ["fastify", "avvio", "@security-platform/fql"],
      "@security-platform/client": ["openapi-fetch", "openapi-typescript-helpers"],
    };
    const counts = Object.entries(contents).map(([name, expected]) => {
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

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
