/**
 * Loads a compressed file. Callers write `new URL("name", import.meta.url)`, which bundlers of pages recognize, so that
 * they include the file.
 */
export async function loadCompressed(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url);
  if (!response.ok || response.body === null) {
    throw new Error(`${url.href} got ${response.status}; it belongs to the worker`);
  }
  // Some servers send `.gz` files as compressed content, which the browser has then decompressed.
  const received = new Uint8Array(await response.arrayBuffer());
  return isCompressed(received) ? decompress(received) : received;
}

const isCompressed = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b;

async function decompress(compressed: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
