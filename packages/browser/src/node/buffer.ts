import { Buffer as PortableBuffer } from "buffer/index.js";

type Encoding = BufferEncoding | undefined;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strict = new TextDecoder("utf-8", { fatal: true });

const isUtf8Name = (encoding: unknown): boolean =>
  encoding === undefined || encoding === null || /^utf-?8$/i.test(String(encoding));
const isLatinName = (encoding: unknown): boolean => /^(?:latin1|binary)$/i.test(String(encoding));
const isUrlName = (encoding: unknown): boolean => encoding === "base64url";

const portable = {
  from: PortableBuffer.from.bind(PortableBuffer) as unknown as (...parameters: unknown[]) => Buffer,
  byteLength: PortableBuffer.byteLength.bind(PortableBuffer),
  isEncoding: PortableBuffer.isEncoding.bind(PortableBuffer),
  toString: PortableBuffer.prototype.toString,
};

const asBuffer = (bytes: Uint8Array): Buffer =>
  portable.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Bytes. New memory takes longer than the encoding, so texts are encoded here first. */
const scratch = new Uint8Array(256 * 1024);
/** The text whose bytes are in `scratch`. A response's length and its bytes are computed one after the other. */
let encodedText = "";
let encodedBytes = 0;

/** Whether a text fits into the scratch memory: a UTF-16 code unit takes at most three bytes. */
const fits = (content: string): boolean => content.length * 3 <= scratch.length;

function encodeToScratch(content: string): number {
  // Two texts that are not the same object are rarely of the same length.
  if (content !== encodedText) {
    encodedBytes = encoder.encodeInto(content, scratch).written;
    encodedText = content;
  }
  return encodedBytes;
}

const utf8Length = (content: string): number =>
  fits(content) ? encodeToScratch(content) : encoder.encode(content).length;

const utf8Bytes = (content: string): Uint8Array =>
  fits(content) ? scratch.slice(0, encodeToScratch(content)) : encoder.encode(content);

/** Characters up to U+00FF, a byte each. Most texts are ASCII, which is the same in UTF-8. */
function latinBytes(content: string): Uint8Array {
  const encoded = utf8Bytes(content);
  if (encoded.length === content.length) return encoded;
  return Uint8Array.from({ length: content.length }, (_, at) => content.charCodeAt(at));
}

/** The library decodes `base64url`, but knows neither its name nor its output. UTF-8 is native, which is faster. */
Object.assign(PortableBuffer, {
  from: (content: unknown, encoding?: unknown, length?: unknown): Buffer => {
    if (typeof content !== "string") return portable.from(content, encoding, length);
    if (isUtf8Name(encoding)) return asBuffer(utf8Bytes(content));
    if (isLatinName(encoding)) return asBuffer(latinBytes(content));
    return portable.from(content, isUrlName(encoding) ? "base64" : encoding);
  },
  byteLength: (content: string | ArrayBuffer, encoding?: Encoding): number => {
    if (typeof content !== "string") return content.byteLength;
    if (isUtf8Name(encoding)) return utf8Length(content);
    if (isUrlName(encoding)) return portable.from(content, "base64").length;
    return portable.byteLength(content, encoding);
  },
  isEncoding: (encoding: string): boolean => isUrlName(encoding) || portable.isEncoding(encoding),
});
Object.assign(PortableBuffer.prototype, {
  toString(this: Uint8Array, encoding?: Encoding, start = 0, end = this.length): string {
    if (isUtf8Name(encoding)) return decoder.decode(this.subarray(start, end));
    const text = (name: Encoding) => portable.toString.call(this, name, start, end);
    if (!isUrlName(encoding)) return text(encoding);
    return text("base64")
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replace(/(?<!=)=+$/, "");
  },
});

/** Methods of Node.js without documentation, by which the parser of forms decodes names and values. */
const slices = {
  utf8Slice: "utf8",
  latin1Slice: "latin1",
  ucs2Slice: "utf16le",
  base64Slice: "base64",
} as const;
for (const [name, encoding] of Object.entries(slices)) {
  Object.assign(PortableBuffer.prototype, {
    [name](this: Buffer, start?: number, end?: number): string {
      return this.toString(encoding, start, end);
    },
  });
}

export const Buffer = PortableBuffer as unknown as typeof globalThis.Buffer;

/** Whether bytes are valid UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
