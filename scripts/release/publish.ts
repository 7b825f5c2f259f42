import { join } from "node:path";
import { npm, run } from "./commands.ts";
import { fileName, packages } from "./pack.ts";
import type { Report } from "./report.ts";

const root = join(import.meta.dirname, "../..");

/** Where npm publishes to, if not where its own configuration says. */
interface Target {
  readonly url: string;
  readonly userConfig: string;
}

/**
 * Publishes the tarballs of a folder under a tag. Versions that the registry has already are left as they are, so
 * that a release which was cut off can be repeated.
 */
export async function publish(
  folder: string,
  tag: string,
  report: Report,
  target?: Target,
): Promise<void> {
  const environment = {
    ...process.env,
    ...(target === undefined
      ? {}
      : { npm_config_registry: target.url, npm_config_userconfig: target.userConfig }),
  };
  const here = { folder: root, environment };
  for (const { name, version } of packages) {
    await report(`${name}@${version}: published as ${tag}`, async () => {
      const published = await run(npm("view", `${name}@${version}`, "version"), here, "any");
      if (published.stdout.trim() === version) return "before";
      const file = join(folder, `${fileName(name)}-${version}.tgz`);
      const { stdout } = await run(npm("publish", file, "--tag", tag, "--json"), here);
      return `${(sizeOf(stdout) / 1024).toFixed(0)} KB`;
    });
  }
}

/** The size in the report of npm, which has the package itself or the package under its name. */
function sizeOf(printed: string): number {
  const report = JSON.parse(printed) as Readonly<Record<string, unknown>>;
  const [first] = Object.values(report) as readonly { readonly size?: number }[];
  return Number(report["size"] ?? first?.size);
}
