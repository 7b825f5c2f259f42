/** Loads a file of the build, which is beside this module and ends with `.gz`. */
export async function loadCompressed(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const url = new URL(name, import.meta.url);
  const response = await fetch(url);
  if (!response.ok || response.body === null) {
    throw new Error(`${url.href} was answered with ${response.status}; it belongs to the worker`);
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
