import type { Random } from "../../packages/spec-gate/tests/fuzz/edits.ts";

/** Values that programs handle wrongly more often than others. */
const hostileTexts: readonly string[] = [
  "",
  "*",
  "'",
  '"',
  "\\",
  "\u0000",
  "\ud800",
  "\u202e",
  "\u{1f600}",
  "../../../../etc/passwd",
  "%00",
  "%2e%2e%2f",
  "__proto__",
  "constructor",
  "$ref",
  "' or 1=1 --",
  "-1",
  "1e400",
  "NaN",
  "9007199254740993",
  "2026-13-45T99:99:99Z",
  "+275760-09-13T00:00:00.001Z",
  "now-99999999999999d",
  "(a+)+$",
  "a".repeat(10_000),
  "é".repeat(5_000),
  "[".repeat(3_000),
];

const hostileValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  0.1,
  2 ** 31,
  2 ** 53,
  1e308,
  -1e308,
  5e-324,
  [],
  {},
  [[]],
  [null],
  { "": "" },
];

const most = 64 * 1024;

/** Of JSON. */
const longest = 512 * 1024;

/** One to four random changes of bytes. `words`: what the format is made of. `others`: inputs to splice with. */
export function mutateBytes(
  random: Random,
  start: Buffer,
  words: readonly string[],
  others: readonly Buffer[] = [],
): Buffer {
  let bytes = start;
  for (let count = 1 + random.below(4); count > 0; count -= 1) {
    bytes = changeBytes(random, bytes, words, others);
  }
  return bytes.length > most ? bytes.subarray(0, most) : bytes;
}

function changeBytes(
  random: Random,
  bytes: Buffer,
  words: readonly string[],
  others: readonly Buffer[],
): Buffer {
  const at = random.below(bytes.length + 1);
  const end = Math.min(bytes.length, at + 1 + random.below(random.below(4) === 0 ? 400 : 8));
  const [head, middle, tail] = [
    bytes.subarray(0, at),
    bytes.subarray(at, end),
    bytes.subarray(end),
  ];
  switch (random.below(9)) {
    case 0:
      return Buffer.concat([head, tail]);
    case 1:
      return Buffer.concat([head, middle, middle, tail]);
    case 2:
      return Buffer.from(head);
    case 3: {
      const flipped = Buffer.from(bytes);
      if (at < flipped.length) flipped[at] = (flipped[at] ?? 0) ^ (1 << random.below(8));
      return flipped;
    }
    case 4: {
      const noise = Buffer.from(
        Array.from({ length: 1 + random.below(8) }, () => random.below(256)),
      );
      return Buffer.concat([head, noise, tail]);
    }
    case 5:
      return Buffer.concat([head, Buffer.from(random.pick(hostileTexts) ?? ""), tail]);
    case 6: {
      const other = random.pick(others) ?? bytes;
      return Buffer.concat([head, other.subarray(random.below(other.length + 1))]);
    }
    case 7: {
      // A number of the format: length, offset or count.
      const width = random.pick([1, 2, 4, 8]) ?? 4;
      const number = random.pick([0, 1, 0x7f, 0xff, 0x7fff_ffff, 0xffff_ffff]) ?? 0;
      const changed = Buffer.from(bytes);
      for (let index = 0; index < width && at + index < changed.length; index += 1) {
        changed[at + index] = index < 4 ? (number >>> (8 * index)) & 0xff : 0;
      }
      return changed;
    }
    default:
      return Buffer.concat([head, Buffer.from(random.pick(words) ?? ""), tail]);
  }
}

/** The same for a text. */
export const mutateText = (
  random: Random,
  text: string,
  words: readonly string[],
  others: readonly string[] = [],
): string =>
  mutateBytes(
    random,
    Buffer.from(text),
    words,
    others.map((each) => Buffer.from(each)),
  ).toString();

interface Place {
  readonly parent: unknown[] | Record<string, unknown>;
  readonly key: string | number;
}

function placesOf(root: unknown): readonly Place[] {
  const places: Place[] = [];
  const open: unknown[] = [root];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    if (typeof parent !== "object" || parent === null) continue;
    const keys = Array.isArray(parent) ? parent.keys() : Object.keys(parent);
    for (const key of keys) {
      const place = { parent: parent as Record<string, unknown>, key } as Place;
      places.push(place);
      open.push((parent as Record<string | number, unknown>)[key]);
    }
  }
  return places;
}

/** A copy of a JSON value with one to three changes of its members. `words`: names and values of the format. */
export function mutateJson(random: Random, value: unknown, words: readonly string[]): unknown {
  const root = structuredClone({ value });
  for (let count = 1 + random.below(random.below(2) === 0 ? 1 : 3); count > 0; count -= 1) {
    const place = random.pick(placesOf(root));
    if (place !== undefined) changeJson(random, place, words);
    // Lists of large lists would measure nothing but the memory of this process.
    if (isLonger(root, longest)) return value;
  }
  return root.value;
}

/** Whether the JSON text of a value has more characters. Ends there, because the whole text may not fit into memory. */
function isLonger(root: unknown, characters: number): boolean {
  let rest = characters;
  const open: unknown[] = [root];
  while (open.length > 0 && rest >= 0) {
    const value = open.pop();
    rest -= typeof value === "string" ? value.length + 3 : 3;
    if (typeof value !== "object" || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      rest -= Array.isArray(value) ? 0 : key.length + 3;
      open.push(member);
    }
  }
  return rest < 0;
}

function changeJson(random: Random, { parent, key }: Place, words: readonly string[]): void {
  const members = parent as Record<string | number, unknown>;
  const value = members[key];
  switch (random.below(8)) {
    case 0:
      if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else Reflect.deleteProperty(parent, key);
      return;
    case 1:
      members[key] = structuredClone(random.pick(hostileValues));
      return;
    case 2:
      members[key] = random.pick(hostileTexts);
      return;
    case 3:
      members[key] = random.pick(words);
      return;
    case 4:
      members[key] = Array.isArray(value)
        ? Array.from(
            { length: random.pick([2, 50, 3_000]) ?? 2 },
            (_, at) => value[at % value.length],
          )
        : [value];
      return;
    case 5: {
      let nested: unknown = value;
      for (let depth = random.pick([1, 20, 200]) ?? 1; depth > 0; depth -= 1)
        nested = { a: nested };
      members[key] = nested;
      return;
    }
    case 6:
      if (Array.isArray(parent)) parent.push(structuredClone(random.pick(parent)));
      else parent[random.pick(words) ?? ""] = structuredClone(value);
      return;
    default:
      members[key] =
        typeof value === "string"
          ? mutateText(random, value, words)
          : typeof value === "number"
            ? value * (random.pick([-1, 0, 1.5, 2 ** 40]) ?? 1)
            : structuredClone(random.pick(Object.values(parent)));
  }
}
