import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bun, nodeVersions, npm, run, stranger, tool, type Place } from "../commands.ts";
import type { Served } from "../served.ts";
import type { Report } from "../report.ts";

const program = `import { createClient, filters, isNotFound } from "@security-platform/client";
import { parseFilter } from "@security-platform/fql";

await using client = createClient();
const filter = filters.indicators.where("type").equals("domain");
let count = 0;
for await (const indicator of client.ioc.listIndicators({ filter })) {
  if (indicator.type !== "domain") throw new Error(indicator.type);
  count += 1;
}
if (count === 0) throw new Error("the demo has domains");
parseFilter("type:'domain'");
const { error } = await client.ioc.getIndicators.try({ ids: ["0".repeat(64)] });
if (!isNotFound(error, client.ioc.getIndicators)) throw new Error("expected no such indicator");
console.log("ok");
`;

/** Compiler options of the two ways in which programs find packages. */
const resolutions = {
  NodeNext: { module: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
};

const managers = {
  npm: (...names: readonly string[]) => npm("install", ...names),
  pnpm: (...names: readonly string[]) => tool("pnpm/bin/pnpm.cjs", "add", ...names),
  yarn: (...names: readonly string[]) => tool("yarn/bin/yarn.js", "add", ...names),
  bun: (...names: readonly string[]) => bun("add", ...names),
};

/** Installs the client with each package manager, compiles a program, and runs it on each runtime. */
export async function useClient(place: Place, served: Served, report: Report): Promise<void> {
  const names = ["@security-platform/client", "@security-platform/fql"];
  for (const [manager, add] of Object.entries(managers)) {
    const who = stranger(place);
    write(who.folder, "package.json", { name: "program", private: true, type: "module" });
    writeFileSync(join(who.folder, "main.ts"), program);
    await report(`client: installed by ${manager}, compiled with TypeScript`, async () => {
      await run(add(...names), who);
      for (const [name, options] of Object.entries(resolutions)) {
        const compilerOptions = {
          ...options,
          target: "es2022",
          lib: ["es2022", "esnext.disposable", "dom", "dom.asynciterable"],
          types: [],
          strict: true,
          skipLibCheck: false,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          outDir: `dist-${name}`,
        };
        write(who.folder, "tsconfig.json", { compilerOptions, files: ["main.ts"] });
        await run(tool("typescript/bin/tsc", "-p", "."), who);
      }
    });
    const environment = {
      ...who.environment,
      SECPLAT_URL: served.url,
      SECPLAT_CLIENT_ID: served.clientId,
      SECPLAT_CLIENT_SECRET: served.clientSecret,
    };
    for (const { name, command } of runtimesOf(manager)) {
      await report(`client: installed by ${manager}, run by ${name}`, async () => {
        const { stdout } = await run(command("dist-NodeNext/main.js"), { ...who, environment });
        if (stdout !== "ok\n") throw new Error(`printed ${stdout}`);
      });
    }
  }
}

/** One manager's program runs everywhere, because all install the same files. */
function runtimesOf(manager: string) {
  const all = [
    ...nodeVersions().map(({ name, folder }) => ({
      name,
      command: (file: string) => [join(folder, "node"), file],
    })),
    { name: "Bun", command: (file: string) => bun(file) },
  ];
  if (manager === "npm") return all;
  return all.filter(({ name }) => name === (manager === "bun" ? "Bun" : "Node.js 24"));
}

function write(folder: string, name: string, content: unknown): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), JSON.stringify(content));
}
