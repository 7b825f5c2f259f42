import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { UserConfig } from "vitepress";

/** A plugin of the Vite that VitePress uses. */
export type Plugin = Exclude<
  NonNullable<NonNullable<UserConfig["vite"]>["plugins"]>[number],
  false | null | undefined | Promise<unknown> | readonly unknown[]
>;

/** The platform in the page: the built package `@security-platform/browser`, as any file server serves it. */
export interface PlatformFiles {
  /** The folder below the site's root, with a digest of its content in its name. */
  readonly folder: string;
  /** The files that the platform starts with, with their sizes in bytes. */
  readonly first: readonly (readonly [name: string, size: number])[];
}

const dist = fileURLToPath(new URL("../../packages/browser/dist", import.meta.url));
const mediaTypes: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".wasm": "application/wasm",
};

/**
 * Adds the files of the platform to the site, and their names and sizes as `PLATFORM_FILES` to its scripts. The files
 * stay as they are: they find each other by their names.
 */
export function platformFiles(base: string): Plugin {
  const files = readFiles();
  const digest = createHash("sha256");
  for (const [name, content] of files) digest.update(name).update(content);
  const folder = `assets/platform.${digest.digest("base64url").slice(0, 8)}/`;
  const described: PlatformFiles = { folder, first: firstFiles(files) };
  let isForBrowsers = false;
  return {
    name: "platform-files",
    config: () => ({ define: { PLATFORM_FILES: JSON.stringify(described) } }),
    configResolved: ({ build }) => {
      isForBrowsers = build.ssr === false;
    },
    generateBundle() {
      if (!isForBrowsers) return;
      for (const [name, source] of files) {
        this.emitFile({ type: "asset", fileName: folder + name, source });
      }
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const { pathname } = new URL(request.url ?? "/", "http://localhost");
        const name = basename(pathname);
        const content = pathname === base + folder + name ? files.get(name) : undefined;
        if (content === undefined) return next();
        response.setHeader("content-type", mediaTypes[extname(name)] ?? "application/octet-stream");
        response.end(content);
      });
    },
  };
}

/** Throws if the package is not built. */
function readFiles(): ReadonlyMap<string, Uint8Array> {
  try {
    // A build that was interrupted leaves a folder of declarations.
    const names = readdirSync(dist, { withFileTypes: true })
      .filter((entry) => entry.isFile() && !/^index\.|\.d\.ts$/.test(entry.name))
      .map(({ name }) => name);
    return new Map(names.toSorted().map((name) => [name, readFileSync(join(dist, name))]));
  } catch (error) {
    throw new Error("the platform is not built: npx turbo run bundle", { cause: error });
  }
}

/** The two entries with all that they import, and the files other than scripts. The document is loaded on request. */
function firstFiles(files: ReadonlyMap<string, Uint8Array>): PlatformFiles["first"] {
  const first = new Set([...files.keys()].filter((name) => !/\.(?:js|txt)$|^openapi\./.test(name)));
  const add = (name: string): void => {
    if (first.has(name)) return;
    first.add(name);
    const code = Buffer.from(files.get(name) ?? []).toString();
    for (const [, imported = ""] of code.matchAll(/(?:\bfrom|\bimport)\s*["']\.\/([\w.-]+)["']/g)) {
      if (files.has(imported)) add(imported);
    }
  };
  add("standalone.js");
  add("worker.js");
  return [...first].map((name) => [name, files.get(name)?.length ?? 0] as const);
}
