import { expect, test } from "vitest";
import { JsonPieces, JsonTextError } from "./json-pieces.ts";
import { JsonScan } from "./json-text.ts";

/** The value or the error of a text that is parsed in pieces of about `size` bytes; 0: whole. */
function parsed(text: string, size: number): unknown {
  const bytes = Buffer.from(text);
  const scan = new JsonScan(1_000_000, size || Infinity);
  const pieces = new JsonPieces();
  let start = 0;
  try {
    scan.add(bytes);
    for (const { offset, open } of [...scan.cuts, { offset: bytes.length, open: [] }]) {
      pieces.add(bytes.toString("utf8", start, offset), open);
      start = offset;
    }
  } catch (error) {
    if (error instanceof JsonTextError) return `${error.offset}: ${error.message}`;
    throw error;
  }
  return { value: pieces.value, count: scan.cuts.length + 1 };
}

/** Numbers that look random and are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const names = ['"a"', '"b"', '"0"', '"7"', '""', '"__proto__"', '"ж"'];
const scalars = ["1", "-2.5e3", "true", "null", '"x,[{\\""', '"\\\\"', '"\\u0041"', '"жз"', '""'];

function textOf(next: (below: number) => number, depth = 0): string {
  const space = next(8) === 0 ? " \n" : "";
  const count = next(6);
  const kind = depth > 4 ? 0 : next(depth === 0 ? 2 : 4) + (depth === 0 ? 1 : 0);
  if (kind === 1) {
    const items = Array.from({ length: count }, () => textOf(next, depth + 1));
    return `[${space}${items.join(`${space},`)}${space}]`;
  }
  if (kind === 2) {
    const members = Array.from(
      { length: count },
      () => `${space}${names[next(names.length)]}:${space}${textOf(next, depth + 1)}`,
    );
    return `{${members.join(",")}${space}}`;
  }
  return `${space}${scalars[next(scalars.length)]}`;
}

const damages = ["", ",", "]", "}", "[", "{", ":", '"', "x", "\\", ",,", "1"];

test.each([1, 5, 20])(
  "pieces of %i bytes have the value and the errors of the whole text",
  (size) => {
    const next = numbers(size);
    const seen = { values: 0, divided: 0, errors: 0 };
    for (let round = 0; round < 600; round += 1) {
      const text = textOf(next);
      const at = next(text.length);
      const damaged = text.slice(0, at) + damages[next(damages.length)] + text.slice(at + next(2));
      for (const each of [text, damaged]) {
        const [whole, pieces] = [parsed(each, 0), parsed(each, size)];
        if (typeof whole === "string" || typeof pieces === "string") {
          expect(pieces, each).toBe(whole);
          seen.errors += 1;
        } else {
          const { value, count } = pieces as { value: unknown; count: number };
          // The order of the members and `__proto__` also count.
          expect(JSON.stringify(value), each).toBe(JSON.stringify(JSON.parse(each)));
          expect(value, each).toEqual(JSON.parse(each));
          seen.values += 1;
          if (count > 1) seen.divided += 1;
        }
      }
    }
    expect(seen.divided).toBeGreaterThan(100);
    expect(seen.errors).toBeGreaterThan(100);
  },
);

test("a text is divided after commas, into pieces of at least the given size", () => {
  const text = JSON.stringify({ list: Array.from({ length: 1_000 }, (_, index) => ({ index })) });
  const scan = new JsonScan(1_000_000, 1_000);
  scan.add(Buffer.from(text));
  expect(scan.cuts.length).toBeGreaterThan(10);
  for (const [index, { offset, open }] of scan.cuts.entries()) {
    expect(text[offset - 1]).toBe(",");
    expect(offset - (scan.cuts[index - 1]?.offset ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect(open).toEqual([true, false]);
  }
});
