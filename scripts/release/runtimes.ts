import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { openBrowser } from "../../docs/tests/support/browser.ts";
import {
  bun,
  deno,
  firstLine,
  nodeVersions,
  run,
  start,
  workerd,
  type Stranger,
} from "./commands.ts";
import type { Report } from "./report.ts";

type Command = (file: string) => readonly string[];

const variables = ["SECPLAT_URL", "SECPLAT_CLIENT_ID", "SECPLAT_CLIENT_SECRET"] as const;

/** How each runtime with processes runs a program. Deno permits no more than the client needs. */
export const processes: Readonly<Record<string, Command>> = {
  ...Object.fromEntries(
    nodeVersions().map(({ name, folder }): [string, Command] => [
      name,
      (file) => [join(folder, "node"), file],
    ]),
  ),
  Bun: (file) => bun(file),
  Deno: (file) => {
    const permissions = ["--allow-net=127.0.0.1", `--allow-env=${variables.join()}`];
    // A required module is read with the rights of the program.
    if (file.endsWith(".cjs")) permissions.push("--allow-read=.");
    return deno("run", "--no-prompt", ...permissions, file);
  },
};

/** Where the checks run, and what they return. */
const places: Readonly<Record<string, (who: Stranger) => Promise<string>>> = {
  ...Object.fromEntries(
    Object.entries(processes).map(([name, command]) => [
      name,
      async (who: Stranger) => (await run(command("dist/process.mjs"), who)).stdout,
    ]),
  ),
  workerd: inWorker,
  "a browser": inBrowser,
};

/** Runs `checks.ts` with the installed client on each runtime. It is compiled to `dist`. */
export async function runChecks(who: Stranger, report: Report): Promise<void> {
  for (const name of ["process.mjs", "worker.mjs"]) {
    cpSync(join(who.folder, name), join(who.folder, "dist", name));
  }
  for (const [name, runIn] of Object.entries(places)) {
    await report(`client: its checks in ${name}`, async () => {
      const text = await runIn(who);
      const { passed, failed } = JSON.parse(text) as { passed: number; failed: readonly string[] };
      if (failed.length > 0 || passed === 0) throw new Error(failed.join("\n"));
      return `${passed} passed`;
    });
  }
}

/** A bundle as a worker is deployed: one module. */
async function inWorker(who: Stranger): Promise<string> {
  const options = ["--target=browser", "--conditions=workerd", "--outfile=worker.js"];
  await run(bun("build", ...options, "dist/worker.mjs"), who);
  const bindings = variables.map((name) => {
    const text = JSON.stringify(who.environment[name]);
    return `(name = "${name}", text = ${text})`;
  });
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  bindings = [${bindings.join(", ")}],
  compatibilityDate = "2026-01-01",
);
`;
  writeFileSync(join(who.folder, "worker.capnp"), config);
  const child = start(workerd("serve", "worker.capnp", "--control-fd=1"), who);
  try {
    const { port } = JSON.parse(await firstLine(child)) as { readonly port: number };
    // More than the client sends at a time by default, and each in a context of its own.
    const requests = Array.from({ length: 60 }, () => fetch(`http://127.0.0.1:${port}/shared`));
    const failed = (await Promise.all(requests)).filter(({ ok }) => !ok);
    if (failed.length > 0) throw new Error(`${failed.length} requests with a shared client failed`);
    return await (await fetch(`http://127.0.0.1:${port}/`)).text();
  } finally {
    child.kill();
  }
}

/** A bundle as a page loads it: modules in several files, of another origin than the platform. */
async function inBrowser(who: Stranger): Promise<string> {
  const options = ["--target=browser", "--splitting", "--outdir=page"];
  await run(bun("build", ...options, "dist/checks.js"), who);
  const site = createServer(({ url = "" }, response) => {
    const isScript = /^\/[\w-]+\.js$/.test(url);
    const type = isScript ? "text/javascript" : "text/html";
    response.setHeader("content-type", type);
    response.end(isScript ? readFileSync(join(who.folder, "page", url)) : "<title>Checks</title>");
  });
  await new Promise<void>((resolve) => {
    site.listen(0, "127.0.0.1", resolve);
  });
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    const [baseUrl, clientId, clientSecret] = variables.map((name) => who.environment[name]);
    const world = JSON.stringify({ credentials: { baseUrl, clientId, clientSecret } });
    // As text, because this program is no part of the page.
    const script = `import("/checks.js").then(async ({ runChecks }) =>
      JSON.stringify(await runChecks({ ...${world}, print: String })))`;
    return (await page.evaluate(script)) as string;
  } finally {
    await browser.close();
    site.close();
  }
}
