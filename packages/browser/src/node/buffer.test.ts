import { Buffer as NodeBuffer } from "node:buffer";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Buffer } from "./buffer.ts";

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom("", "é".repeat(5), "\ud800", "a".repeat(100_000), "é".repeat(90_000)),
);
const encoding = fc.constantFrom("utf8", "latin1", undefined);

test(
  "texts have the bytes that Node.js gives them, one after the other",
  { tags: ["exhaustive"] },
  () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), encoding, (texts, name) => {
        for (const each of [...texts, ...texts]) {
          expect(Buffer.byteLength(each)).toBe(NodeBuffer.byteLength(each));
          const bytes = Buffer.from(each, name as BufferEncoding);
          const expected = NodeBuffer.from(each, name as BufferEncoding);
          expect(new Uint8Array(bytes)).toEqual(new Uint8Array(expected));
          // They are the caller's.
          bytes.fill(0);
          expect(Buffer.byteLength(each)).toBe(NodeBuffer.byteLength(each));
        }
      }),
    );
  },
);

test.each(["utf8Slice", "latin1Slice", "ucs2Slice", "base64Slice"])(
  "%s decodes as Node.js does",
  (name) => {
    const bytes = new TextEncoder().encode("ünï ☂ text");
    const slice = (buffer: object): unknown => {
      const method = Reflect.get(buffer, name) as (start: number, end: number) => string;
      return method.call(buffer, 1, 12);
    };
    expect(slice(Buffer.from(bytes))).toBe(slice(NodeBuffer.from(bytes)));
  },
);
