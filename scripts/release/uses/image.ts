import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { collect, firstLine, npm, run, stranger, type Place } from "../commands.ts";
import { settingsOf } from "../image/dockerfile.ts";
import { makeImage, type Image } from "../image/make.ts";
import { version } from "../pack.ts";
import type { Report } from "../report.ts";
import type { Served } from "../served.ts";

/** Makes the container image, runs its command with nothing but its files, and scans it with `secplat scan`. */
export async function useImage(
  place: Place,
  files: string,
  served: Served,
  report: Report,
): Promise<void> {
  const folder = join(place.root, "image");
  mkdirSync(folder);
  let image: Image | undefined;
  await report("the image is made, without an engine", async () => {
    const tarball = join(files, `secplat-${version}.tgz`);
    image = await makeImage(tarball, version, process.execPath, folder);
    return `${(image.size / 1024 ** 2).toFixed(0)} MB compressed`;
  });
  if (image === undefined) return;
  const { layout, files: root } = image;
  await report("the image serves as its user, and its health check passes", () => serveFrom(root));
  await report("secplat scan reads the image, and no policy denies it", async () => {
    const who = stranger(place);
    const environment = {
      ...who.environment,
      SECPLAT_URL: served.url,
      SECPLAT_CLIENT_ID: served.clientId,
      SECPLAT_CLIENT_SECRET: served.clientSecret,
    };
    const words = npm("exec", "--yes", "--", "secplat", "scan", layout, "--json", "--policy");
    const { stdout } = await run(words, { ...who, environment });
    const named = `"Repository":"security-platform-api/secplat","Tag":"${version}"`;
    if (!stdout.includes(named)) throw new Error(`expected a report with ${named}: ${stdout}`);
  });
}

/** Runs the image's command in its files alone. Only the superuser can change the root of a process. */
async function serveFrom(root: string): Promise<void> {
  const { config } = settingsOf({ VERSION: version });
  const inside = [
    ...(process.getuid?.() === 0 ? [] : ["sudo", "--non-interactive", "--preserve-env"]),
    // Node.js needs /proc, which each engine mounts. The mount ends with the process.
    "unshare",
    "--mount",
    "sh",
    "-c",
    'mount --rbind /proc proc && exec chroot "$@"',
    "chroot",
    `--userspec=${config.User}`,
    root,
  ];
  const variables = Object.fromEntries(config.Env.map((each) => each.split("=")));
  // As an engine sets them; PATH only finds chroot. A busy machine must not refuse requests.
  const env = {
    PATH: process.env["PATH"],
    ...variables,
    SECPLAT_PORT: "0",
    SECPLAT_OVERLOAD_DELAY: "0",
  };
  const [program = "", ...words] = [...inside, ...config.Entrypoint, ...config.Cmd, "--json"];
  const child = spawn(program, words, { cwd: root, env });
  const errors = collect(child.stderr);
  const ended = new Promise<number | null>((resolve) => {
    child.on("close", resolve);
  });
  try {
    const { url = "" } = JSON.parse(await firstLine(child)) as Readonly<Record<string, string>>;
    const { port } = new URL(url);
    const [, ...check] = config.Healthcheck.Test;
    const environment = { ...env, SECPLAT_PORT: port };
    await run([...inside, ...check], { folder: root, environment });
    const refused = { ...env, SECPLAT_PORT: "1" };
    await run([...inside, ...check], { folder: root, environment: refused }, 1);
    const docs = await fetch(`http://127.0.0.1:${port}/docs/`);
    if (docs.status !== 200) throw new Error(`/docs/: ${docs.status}`);
  } finally {
    child.kill(config.StopSignal as NodeJS.Signals);
  }
  const code = await ended;
  if (code !== 0) throw new Error(`ended with ${code}: ${errors()}`);
}
