import { requireParts } from "./required-parts.ts";
import type { Template } from "@security-platform/server/portable";

/** The home tenant, which the build writes here. */
declare const HOME: Omit<Template, "bytes">;

/** Loads the prepared database beside this module. */
export async function loadTemplate(): Promise<Template> {
  requireParts();
  const url = new URL("template.db.gz", import.meta.url);
  const response = await fetch(url);
  if (!response.ok || response.body === null) {
    throw new Error(`${url.href} was answered with ${response.status}; it belongs to the worker`);
  }
  // Some servers send `.gz` files as compressed content, which the browser has then decompressed.
  const received = new Uint8Array(await response.arrayBuffer());
  return { ...HOME, bytes: isCompressed(received) ? await decompress(received) : received };
}

const isCompressed = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b;

async function decompress(compressed: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
