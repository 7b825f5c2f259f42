import * as fc from "fast-check";
import { expect, test } from "vitest";
import { MemoryFile, type Backing } from "./memory-file.ts";

/** Places around the ends of chunks. */
const place = fc.oneof(fc.nat(200), fc.integer({ min: 65_500, max: 65_600 }), fc.nat(200_000));
const step = fc.oneof(
  fc.record({ write: fc.uint8Array({ minLength: 1, maxLength: 100 }), at: place }),
  fc.record({ truncate: place }),
);

/** Zeros fill a gap, as in files of an operating system. */
function grown(bytes: Uint8Array, size: number): Uint8Array {
  const larger = new Uint8Array(Math.max(size, bytes.length));
  larger.set(bytes);
  return larger;
}

test("a file has the bytes that were written last, and so has its backing", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), place, (steps, at) => {
      let [expected, backed] = [new Uint8Array(), new Uint8Array()] as [Uint8Array, Uint8Array];
      const backing: Backing = {
        write: (bytes, from) => {
          backed = grown(backed, from + bytes.length);
          backed.set(bytes, from);
        },
        truncate: (size) => (backed = backed.slice(0, size)),
        flush: () => undefined,
      };
      const file = new MemoryFile(undefined, backing);
      for (const each of steps) {
        if ("write" in each) {
          file.write(each.write, each.at);
          expected = grown(expected, each.at + each.write.length);
          expected.set(each.write, each.at);
        } else {
          file.truncate(each.truncate);
          expected = expected.slice(0, each.truncate);
        }
        expect(file.size).toBe(expected.length);
      }
      expect(Buffer.compare(file.content(), expected)).toBe(0);
      expect(Buffer.compare(backed, expected)).toBe(0);
      const part = new Uint8Array(100);
      const inside = expected.subarray(at, at + 100);
      expect(file.read(part, at)).toBe(inside.length);
      expect(part.subarray(0, inside.length)).toEqual(inside);
    }),
  );
});

test("a write that its backing refuses changes nothing", () => {
  const refuse = (): never => {
    throw new Error("no space");
  };
  const backing = { write: refuse, truncate: refuse, flush: refuse };
  const file = new MemoryFile(Uint8Array.of(1, 2, 3), backing);
  expect(() => file.write(Uint8Array.of(9), 0)).toThrow("no space");
  expect(() => file.truncate(1)).toThrow("no space");
  expect(file.content()).toEqual(Uint8Array.of(1, 2, 3));
});
