import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { collect, firstLine, run, stranger, type Place } from "../commands.ts";
import { version } from "../pack.ts";
import { makeProgram } from "../single-file/make.ts";
import { targets } from "../single-file/targets.ts";
import type { Report } from "../report.ts";

/** Makes the single file for this system, and runs it without any other program. */
export async function useProgram(place: Place, files: string, report: Report): Promise<void> {
  const target = targets.find(({ name }) => name === `${process.platform}-${process.arch}`);
  if (target === undefined) throw new Error("there is no program for this system");
  const who = stranger(place);
  const program = join(who.folder, "secplat");
  const environment = { PATH: "", HOME: who.folder };
  const alone = { folder: who.folder, environment };
  await report(`the program for ${target.name} is made`, async () => {
    await makeProgram(target, join(files, `secplat-${version}.tgz`), program, place.root);
    return `${(statSync(program).size / 1024 ** 2).toFixed(0)} MB`;
  });
  const start = async (): Promise<string> => {
    const began = performance.now();
    const { stdout } = await run([program, "--version"], alone);
    if (!stdout.includes(version)) throw new Error(`printed ${stdout}`);
    return `${((performance.now() - began) / 1000).toFixed(2)} s`;
  };
  await report("the program starts with an empty PATH, and unpacks itself", start);
  await report("the program starts again", start);
  await report("the program serves with two workers, with the documentation", async () => {
    // On a busy machine, requests would be refused because of the event loop's delay.
    const words = "serve --json --port 0 --workers 2 --overload-delay 0".split(" ");
    const child = spawn(program, words, { cwd: who.folder, env: environment });
    const errors = collect(child.stderr);
    const ended = new Promise<number | null>((resolve) => {
      child.on("close", resolve);
    });
    try {
      const greeting = JSON.parse(await firstLine(child)) as Readonly<Record<string, string>>;
      const headers = { authorization: `Bearer ${greeting["access_token"]}` };
      for (const path of ["/iocs/combined/indicator/v1?limit=2", "/docs/"]) {
        const { status } = await fetch(`${greeting["url"]}${path}`, { headers });
        if (status !== 200) throw new Error(`${path}: ${status}`);
      }
      // A bundler may remove a check.
      const { status } = await fetch(`${greeting["url"]}/healthz?%ff=%00`);
      if (status !== 400) throw new Error(`a percent-encoding that is not UTF-8: ${status}`);
    } finally {
      child.kill("SIGTERM");
    }
    const code = await ended;
    if (code !== 0) throw new Error(`ended with ${code}: ${errors()}`);
  });
}
