/** The bytes of a part that is written to a response. */
export function bytesOf(chunk: unknown, encoding: unknown): Buffer {
  if (typeof chunk !== "string") return Buffer.from(chunk as Uint8Array);
  return Buffer.from(chunk, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8");
}
