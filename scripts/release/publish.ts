import { readFileSync } from "node:fs";
import { join } from "node:path";
import { npm, run } from "./commands.ts";
import type { Registry } from "./registry.ts";
import type { Report } from "./report.ts";

const root = join(import.meta.dirname, "../..");

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly workspaces?: readonly string[];
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;

/** The packages of the project that are published. */
export const packages: readonly Manifest[] = (manifestOf(".").workspaces ?? [])
  .map((folder) => manifestOf(folder))
  .filter(({ private: hidden }) => hidden !== true);

/** Publishes every package as `npm publish` does, with what its `prepack` builds. */
export async function publish(registry: Registry, report: Report): Promise<void> {
  for (const { name, version } of packages) {
    await report(`${name}@${version}: published`, async () => {
      const words = ["publish", "--workspace", name, "--json", "--registry", registry.url];
      const environment = { ...process.env, npm_config_userconfig: registry.userConfig };
      await run(npm(...words), { folder: root, environment });
      const response = await fetch(`${registry.url}${name.replace("/", "%2f")}/${version}`);
      const { dist } = (await response.json()) as { readonly dist: { readonly tarball: string } };
      const { byteLength } = await (await fetch(dist.tarball)).arrayBuffer();
      return `${(byteLength / 1024).toFixed(0)} KB`;
    });
  }
}
