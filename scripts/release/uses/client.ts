import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  bun,
  compilers,
  npm,
  run,
  stranger,
  tool,
  type Place,
  type Stranger,
} from "../commands.ts";
import { hover } from "../hover.ts";
import type { Report } from "../report.ts";
import { processes, runChecks } from "../runtimes.ts";
import type { Served } from "../served.ts";

const programs = join(import.meta.dirname, "../programs");

/** Compiler options of the two ways in which programs find packages. */
const resolutions = {
  NodeNext: {
    options: { module: "nodenext" },
    files: ["integration.ts", "checks.ts", "common.cts"],
  },
  bundler: {
    options: { module: "esnext", moduleResolution: "bundler" },
    files: ["integration.ts", "checks.ts"],
  },
};

const managers = {
  npm: (...names: readonly string[]) => npm("install", ...names),
  pnpm: (...names: readonly string[]) => tool("pnpm/bin/pnpm.cjs", "add", ...names),
  yarn: (...names: readonly string[]) => tool("yarn/bin/yarn.js", "add", ...names),
  bun: (...names: readonly string[]) => bun("add", ...names),
};

/** What `integration.ts` prints: a first synchronization, changes, no changes, a report, and an error. */
const printed = `{"created":60,"updated":0,"deleted":0,"refused":1}
{"created":5,"updated":20,"deleted":10,"refused":0}
{"created":0,"updated":0,"deleted":0,"refused":0}
vulnerabilities: true
missing: 1
`;

/** Installs the client with each package manager, compiles programs, and runs them on each runtime. */
export async function useClient(place: Place, served: Served, report: Report): Promise<void> {
  for (const [manager, add] of Object.entries(managers)) {
    const who = stranger(place);
    write(who, "package.json", { name: "program", private: true, type: "module" });
    cpSync(programs, who.folder, { recursive: true });
    await report(`client: installed by ${manager}, compiled by TypeScript 7`, async () => {
      await run(add("@security-platform/client", "@security-platform/fql"), who);
      await compile(who, "TypeScript 7", "NodeNext");
    });
    const environment = {
      ...who.environment,
      SECPLAT_URL: served.url,
      SECPLAT_CLIENT_ID: served.clientId,
      SECPLAT_CLIENT_SECRET: served.clientSecret,
    };
    // One manager's program runs everywhere, because all install the same files.
    const runtimes = Object.entries(processes).filter(
      ([name]) => manager === "npm" || name === (manager === "bun" ? "Bun" : "Node.js 24"),
    );
    for (const [name, command] of runtimes) {
      await report(`client: installed by ${manager}, an integration on ${name}`, async () => {
        const { stdout } = await run(command("dist/integration.js"), { ...who, environment });
        if (stdout !== printed) throw new Error(`printed ${stdout}`);
      });
    }
    if (manager !== "npm") continue;
    for (const [name, command] of runtimes) {
      await report(`client: required by CommonJS on ${name}`, async () => {
        const { stdout } = await run(command("dist/common.cjs"), { ...who, environment });
        if (stdout !== "indicators: 2\n") throw new Error(`printed ${stdout}`);
      });
    }
    await runChecks({ ...who, environment }, report);
    await report("client: an editor names the types of records", async () => {
      const shown = hover(who.folder, "integration.ts", "stored");
      if (shown !== "const stored: Indicator") throw new Error(`it shows ${shown}`);
    });
    for (const [version, resolution] of [
      ["TypeScript 7", "bundler"],
      ["TypeScript 5.9", "NodeNext"],
      ["TypeScript 5.9", "bundler"],
    ] as const) {
      await report(`client: compiled by ${version} with ${resolution} resolution`, () =>
        compile(who, version, resolution),
      );
    }
  }
}

/** Compiles the programs with the strictest options. */
async function compile(
  who: Stranger,
  version: string,
  resolution: keyof typeof resolutions,
): Promise<void> {
  const { options, files } = resolutions[resolution];
  const compilerOptions = {
    ...options,
    target: "es2022",
    // The least that the declarations need.
    lib: ["es2022", "dom"],
    types: [],
    strict: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    outDir: "dist",
  };
  write(who, "tsconfig.json", { compilerOptions, files });
  await run([...(compilers[version] ?? []), "-p", "."], who);
}

function write({ folder }: Stranger, name: string, content: unknown): void {
  writeFileSync(join(folder, name), JSON.stringify(content));
}
