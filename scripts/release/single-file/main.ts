/**
 * The main script of the single-file program. Node.js runs it as CommonJS without its types, and it can load nothing but
 * built-in modules. It unpacks the package `secplat`, which the program contains, once into the user's cache, because
 * threads, workers and the documentation are files. Then it runs the package's command.
 */
const { getAsset } = process.getBuiltinModule("node:sea");
const { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } =
  process.getBuiltinModule("node:fs");
const { createRequire } = process.getBuiltinModule("node:module");
const { homedir } = process.getBuiltinModule("node:os");
const { dirname, join, resolve, sep } = process.getBuiltinModule("node:path");
const { gunzipSync } = process.getBuiltinModule("node:zlib");

/** A file of CommonJS, because the script of the program cannot import modules itself. */
const starter = "start.cjs";

const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
const folder = join(cache, "secplat", "programs", getAsset("name", "utf8"));
if (!existsSync(folder)) unpack();

// node:cluster starts workers as `execPath argv[1] …`. This program is its own script, so the name is one too many.
if (process.argv[2] === process.argv[1]) process.argv.splice(2, 1);

createRequire(join(folder, starter))(`./${starter}`);

/** Complete or not at all, also if several programs start at the same time. */
function unpack(): void {
  const unfinished = `${folder}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  for (const { path, content } of entries(gunzipSync(new Uint8Array(getAsset("package"))))) {
    const file = resolve(unfinished, path);
    if (!file.startsWith(unfinished + sep)) throw new Error(`unexpected path ${path}`);
    // The command is executed, so the folder belongs to the user alone.
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, content, { mode: 0o600 });
  }
  writeFileSync(join(unfinished, starter), 'import("./dist/bin.js");\n', { mode: 0o600 });
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

interface Entry {
  readonly path: string;
  readonly content: Uint8Array;
}

/** The files of an archive of npm: tar with ustar headers, and pax records for long names. */
function* entries(archive: Buffer): Generator<Entry> {
  let long: string | undefined;
  for (let at = 0; at + 512 <= archive.length;) {
    const text = (start: number, length: number): string =>
      archive.toString("utf8", at + start, at + start + length).replace(/\0.*$/s, "");
    const name = text(0, 100);
    if (name === "") return;
    const size = Number.parseInt(text(124, 12), 8);
    const prefix = text(345, 155);
    const content = archive.subarray(at + 512, at + 512 + size);
    const kind = text(156, 1);
    at += 512 + Math.ceil(size / 512) * 512;
    if (kind === "x") {
      long = /^\d+ path=(.*)$/m.exec(content.toString())?.[1];
      continue;
    }
    const path = long ?? (prefix === "" ? name : `${prefix}/${name}`);
    long = undefined;
    // npm puts all files into the folder `package`.
    if (kind === "0" || kind === "") yield { path: path.replace(/^package\//, ""), content };
  }
}
