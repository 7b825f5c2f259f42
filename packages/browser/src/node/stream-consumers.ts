import { Buffer } from "./buffer.ts";

export async function buffer(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const received: Uint8Array[] = [];
  for await (const part of parts)
    received.push(typeof part === "string" ? Buffer.from(part) : part);
  return Buffer.concat(received);
}

export const text = async (parts: AsyncIterable<Uint8Array>): Promise<string> =>
  (await buffer(parts)).toString();
