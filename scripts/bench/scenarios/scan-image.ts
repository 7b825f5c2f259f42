import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ociLayout, writeArchive, type TarFile } from "../../../testing/image.ts";
import type { Scenario, BenchRun } from "../scenario.ts";
import { printed, processorSeconds, startOn, stop, type Result } from "../measure.ts";

export const scanScenarios: readonly Scenario[] = [{ name: "scan", run: scan }];

const program = fileURLToPath(new URL("../../../packages/cli/dist/bin.js", import.meta.url));
const megabyte = 1_000_000;

/** Processor seconds of `secplat scan`, without those of the server. */
async function scan({ folder, scale }: BenchRun): Promise<readonly Result[]> {
  const data = join(folder, "scan");
  const server = startOn(0, [program, "serve", "--port=0", "--json", `--data=${data}`]);
  const [line] = await printed(server, /^\{.*\}\n/);
  const { url } = JSON.parse(line) as { url: string };
  const image = writeArchive(
    join(folder, "image.tar"),
    ociLayout({ layers: layersOf(500 * scale), name: "bench/image:1" }),
  );
  const child = startOn(1, [program, "scan", image, "--json", "--url", url, "--data", data]);
  child.stdout?.resume();
  let seconds = 0;
  const sampling = setInterval(() => {
    try {
      seconds = Math.max(seconds, processorSeconds(child.pid ?? 0));
    } catch {
      // The process has just ended.
    }
  }, 20);
  const [exitCode] = (await once(child, "exit")) as [number | null];
  clearInterval(sampling);
  await stop(server);
  if (exitCode !== 0) throw new Error(`secplat scan ended with ${exitCode}`);
  return [
    {
      name: "processor seconds to scan an image",
      figure: `${500 * scale} MB in two layers, 2,000 packages`,
      ratio: seconds,
      target: 30 * scale,
      targetIs: "at most",
    },
  ];
}

/** Half of it are executables, the rest are libraries, sources and the files of packages. */
function layersOf(megabytes: number): readonly (readonly TarFile[])[] {
  const noise = randomBytes(megabyte / 2);
  const executable = Buffer.concat([Buffer.from("\u007fELF\u0002\u0001\u0001"), noise]);
  const text = Buffer.from("export const value = compute(first, second);\n".repeat(5_000));
  const system: TarFile[] = [
    { path: "etc/os-release", content: 'ID=debian\nVERSION_ID="12"\n' },
    { path: "var/lib/dpkg/status", content: status(1_000) },
    ...Array.from({ length: megabytes }, (_, index) => ({
      path: `usr/bin/program-${index}`,
      content: executable,
      mode: 0o755,
    })),
  ];
  const application: TarFile[] = [
    ...Array.from({ length: 1_000 }, (_, index) => ({
      path: `app/node_modules/module-${index}/package.json`,
      content: `{"name":"module-${index}","version":"1.0.${index}"}`,
    })),
    ...Array.from({ length: megabytes }, (_, index) => ({
      path: `usr/lib/library-${index}.so`,
      content: noise.subarray(0, megabyte / 4),
    })),
    ...Array.from({ length: megabytes }, (_, index) => ({
      path: `app/source-${index}.js`,
      content: text,
    })),
  ];
  return [system, application];
}

const status = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) =>
      `Package: package-${index}\nStatus: install ok installed\nArchitecture: amd64\nVersion: 1.${index}-1\n`,
  ).join("\n");
