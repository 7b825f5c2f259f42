import { gcm } from "@noble/ciphers/aes.js";
import { hmac } from "@noble/hashes/hmac.js";
import { md5, sha1 } from "@noble/hashes/legacy.js";
import { scryptAsync } from "@noble/hashes/scrypt.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { Buffer } from "./buffer.ts";
import { callBack } from "./call-back.ts";

/** Synchronous hash functions, which the server needs. Those of WebCrypto are asynchronous. */
const algorithms = { md5, sha1, sha256, sha512 };

function algorithmOf(name: string) {
  const algorithm = (algorithms as Partial<typeof algorithms>)[name as "sha256"];
  if (algorithm === undefined) {
    const names = Object.keys(algorithms).join(", ");
    throw new RangeError(`unknown hash ${name}; in a page there are ${names}`);
  }
  return algorithm;
}

type Content = string | Uint8Array;

const bytesOf = (content: Content, encoding?: BufferEncoding): Uint8Array =>
  typeof content === "string" ? Buffer.from(content, encoding) : content;

interface Running {
  update(content: Uint8Array): unknown;
  digest(): Uint8Array;
}

class Digest {
  readonly #running: Running;

  constructor(running: Running) {
    this.#running = running;
  }

  update(content: Content, encoding?: BufferEncoding): this {
    this.#running.update(bytesOf(content, encoding));
    return this;
  }

  digest(encoding?: BufferEncoding): string | Buffer {
    const result = Buffer.from(this.#running.digest());
    return encoding === undefined ? result : result.toString(encoding);
  }
}

export const createHash = (name: string): Digest => new Digest(algorithmOf(name).create());

export const createHmac = (name: string, key: Content): Digest =>
  new Digest(hmac.create(algorithmOf(name), bytesOf(key)));

export const hash = (
  name: string,
  content: Content,
  encoding: BufferEncoding = "hex",
): string | Buffer => createHash(name).update(content).digest(encoding);

/** Maximum bytes of one call of `getRandomValues`. */
const mostRandom = 65_536;

export function randomFillSync<Bytes extends Uint8Array<ArrayBuffer>>(bytes: Bytes): Bytes {
  for (let start = 0; start < bytes.length; start += mostRandom) {
    globalThis.crypto.getRandomValues(bytes.subarray(start, start + mostRandom));
  }
  return bytes;
}

export const randomBytes = (size: number): Buffer => randomFillSync(Buffer.alloc(size));

/** Exists only in secure contexts. */
const { randomUUID: native } = globalThis.crypto as { readonly randomUUID?: () => string };

export const randomUUID = (): string => {
  if (native !== undefined) return native.call(globalThis.crypto);
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
};

/** An integer from 0 to below `end`, which is at most 2^32. Every one is equally likely. */
export function randomInt(end: number): number {
  const most = 2 ** 32 - (2 ** 32 % end);
  for (;;) {
    const value = randomBytes(4).readUInt32BE();
    if (value < most) return value % end;
  }
}

export function timingSafeEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) throw new RangeError("input buffers must have the same length");
  let difference = 0;
  for (const [index, byte] of one.entries()) difference |= byte ^ (other[index] ?? 0);
  return difference === 0;
}

export function scrypt(
  password: Content,
  salt: Content,
  length: number,
  { N, r, p, maxmem }: { N: number; r: number; p: number; maxmem?: number },
  done: (error: Error | null, key?: Buffer) => void,
): void {
  const options = { N, r, p, dkLen: length, ...(maxmem === undefined ? {} : { maxmem }) };
  const derived = scryptAsync(bytesOf(password), bytesOf(salt), options);
  void callBack(
    derived.then((key) => Buffer.from(key)),
    done,
  );
}

/** Keys are bytes here. */
export const createSecretKey = (bytes: Uint8Array): Uint8Array => bytes;

const tagBytes = 16;

class Sealing {
  protected readonly key: Uint8Array;
  protected readonly nonce: Uint8Array;
  protected readonly parts: Uint8Array[] = [];
  protected associated: Uint8Array | undefined;

  constructor(algorithm: string, key: Uint8Array, nonce: Uint8Array) {
    if (algorithm !== "aes-256-gcm") throw new RangeError(`unknown cipher ${algorithm}`);
    this.key = key;
    this.nonce = nonce;
  }

  setAAD(associated: Uint8Array): this {
    this.associated = associated;
    return this;
  }

  /** `final` returns everything. */
  update(content: Content, encoding?: BufferEncoding): Buffer {
    this.parts.push(bytesOf(content, encoding));
    return Buffer.alloc(0);
  }
}

class Cipher extends Sealing {
  #tag = Buffer.alloc(0);

  final(): Buffer {
    const sealed = gcm(this.key, this.nonce, this.associated).encrypt(Buffer.concat(this.parts));
    this.#tag = Buffer.from(sealed.subarray(-tagBytes));
    return Buffer.from(sealed.subarray(0, -tagBytes));
  }

  getAuthTag(): Buffer {
    return this.#tag;
  }
}

class Decipher extends Sealing {
  #tag: Uint8Array = new Uint8Array();

  setAuthTag(tag: Uint8Array): this {
    this.#tag = tag;
    return this;
  }

  final(): Buffer {
    const sealed = Buffer.concat([...this.parts, this.#tag]);
    return Buffer.from(gcm(this.key, this.nonce, this.associated).decrypt(sealed));
  }
}

export const createCipheriv = (...parameters: ConstructorParameters<typeof Cipher>): Cipher =>
  new Cipher(...parameters);

export const createDecipheriv = (...parameters: ConstructorParameters<typeof Decipher>): Decipher =>
  new Decipher(...parameters);
