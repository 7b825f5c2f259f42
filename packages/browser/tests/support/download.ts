import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import type { Page } from "playwright-core";

const dist = fileURLToPath(new URL("../../dist", import.meta.url));

export interface Download {
  /** The files that the page has loaded so far. */
  names(): readonly string[];
  /** Their bytes over the network of a server that compresses. Takes seconds. */
  sizes(): ReadonlyMap<string, number>;
}

/** Watches what a page loads that has just been opened. */
export function watchDownload(page: Page): Download {
  const seen = new Set(["standalone.js"]);
  page.on("request", (request) => seen.add(new URL(request.url()).pathname.slice(1)));
  return {
    names: () => [...seen],
    sizes: () => new Map([...seen].map((name) => [name, transferSize(name)])),
  };
}

function transferSize(name: string): number {
  const content = readFileSync(`${dist}/${name}`);
  return name.endsWith(".gz") ? content.length : brotliCompressSync(content).length;
}
