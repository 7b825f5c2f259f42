import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { inject } from "postject";
import { npm, run } from "../commands.ts";
import type { PinnedPackage, Target } from "./targets.ts";

/** Where Node.js looks for what was added to it. */
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/**
 * Makes `secplat` as a single file: Node.js with the package of npm in it.
 *
 * @param tarball The packed package `secplat`.
 * @param output The program.
 * @param workspace A folder for what is needed meanwhile.
 */
export async function makeProgram(
  target: Target,
  tarball: string,
  output: string,
  workspace: string,
): Promise<void> {
  const { node, path, preparedBy } = target;
  const folder = join(workspace, `program-${target.name}`);
  mkdirSync(folder, { recursive: true });
  const program = join(await download(node, folder), path);
  if (preparedBy === undefined && process.version !== `v${node.version}`) {
    throw new Error(`this is Node.js ${process.version}; expected v${node.version}`);
  }
  const preparer =
    preparedBy === undefined
      ? process.execPath
      : join(await download(preparedBy, folder), "bin/node");
  const blob = await prepare(preparer, tarball, folder);
  copyFileSync(program, output);
  chmodSync(output, 0o755);
  await inject(output, "NODE_SEA_BLOB", blob, {
    sentinelFuse: fuse,
    ...(target.name.startsWith("darwin") ? { machoSegmentName: "NODE_SEA" } : {}),
  });
  rmSync(folder, { recursive: true });
}

/** Downloads and unpacks a package for another system, which `npm install` would leave out. */
async function download(
  { name, version, integrity }: PinnedPackage,
  folder: string,
): Promise<string> {
  const here = { folder, environment: process.env };
  const { stdout } = await run(
    npm("pack", `${name}@${version}`, "--json", "--ignore-scripts"),
    here,
  );
  const [packed] = JSON.parse(stdout) as readonly { readonly filename: string }[];
  const archive = join(folder, packed?.filename ?? "");
  const hash = createHash("sha512").update(readFileSync(archive)).digest("base64");
  if (`sha512-${hash}` !== integrity) {
    throw new Error(`${name}@${version} has the integrity sha512-${hash}, expected ${integrity}`);
  }
  const unpacked = join(folder, `${name}-${version}`);
  mkdirSync(unpacked);
  await run(["tar", "-xzf", archive, "--strip-components=1", "-C", unpacked], here);
  return unpacked;
}

async function prepare(node: string, tarball: string, folder: string): Promise<Buffer> {
  const main = join(folder, "main.cjs");
  const source = readFileSync(join(import.meta.dirname, "main.ts"), "utf8");
  writeFileSync(main, stripTypeScriptTypes(source));
  // A program with other content unpacks it to another folder.
  const name = join(folder, "name");
  writeFileSync(
    name,
    createHash("sha256").update(readFileSync(tarball)).digest("hex").slice(0, 32),
  );
  const output = join(folder, "program.blob");
  const settings = join(folder, "program.json");
  writeFileSync(
    settings,
    JSON.stringify({
      main,
      output,
      disableExperimentalSEAWarning: true,
      // These belong to the machine that prepares.
      useSnapshot: false,
      useCodeCache: false,
      assets: { package: tarball, name },
    }),
  );
  await run([node, "--experimental-sea-config", settings], { folder, environment: process.env });
  return readFileSync(output);
}
