import { canonicalInstant } from "@security-platform/fql";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "@security-platform/fql/arbitraries";
import { importSchemas, servedDocument } from "@security-platform/spec";
import { isMailAddress } from "@security-platform/spec/schemas";
import { inNormalForm } from "./normal-form.ts";
import { schemaCheck } from "./schema-validator.ts";

/** A format whose values are stored as sent, or in their normal form. */
interface Law {
  readonly texts: fc.Arbitrary<string>;
  /** The parsers that read a stored value. */
  readonly isReadable: (text: string) => boolean;
}

const two = (max: number) => fc.integer({ min: 0, max }).map((each) => `${each}`.padStart(2, "0"));
const glue = (...parts: readonly fc.Arbitrary<string>[]) =>
  fc.tuple(...parts).map((each) => each.join(""));
const oneOf = (...texts: readonly string[]) => fc.constantFrom(...texts);
const year = fc.integer({ min: 0, max: 9999 }).map((each) => `${each}`.padStart(4, "0"));

const instants = glue(
  year,
  oneOf("-", "-", "-", "/", ""),
  two(13),
  oneOf("-"),
  two(32),
  oneOf("T", "t", " ", "\t", "\n", "_", "  ", ""),
  two(24),
  oneOf(":"),
  fc.oneof(two(60), oneOf("59")),
  oneOf(":", ":", ":", ""),
  fc.oneof(two(61), oneOf("60")),
  fc.oneof(oneOf("", ".", ",5"), fc.stringMatching(/^\.\d{1,30}$/)),
  fc.oneof(
    oneOf("Z", "z", "", " UTC", "+00:00Z", "-00:00"),
    glue(oneOf("+", "-"), two(25), oneOf(":", "", ""), fc.oneof(two(61), oneOf(""))),
  ),
);
const pieces = (...samples: readonly string[]) =>
  fc.array(fc.oneof(oneOf(...samples), fc.string({ maxLength: 3 })), { maxLength: 8 });

const always = () => true;
const laws: Readonly<Record<string, Law>> = {
  "date-time": { texts: instants, isReadable: (text) => canonicalInstant(text) === text },
  email: {
    texts: pieces("a", "ü", "@", ".", "example", "..", '"', "+", "'", "`", "{", "\u0000").map(
      (parts) => parts.join(""),
    ),
    isReadable: isMailAddress,
  },
  uri: {
    texts: pieces(
      "https:",
      "//",
      "host",
      ":",
      "443",
      "99999",
      "/",
      "%41",
      "%zz",
      "[::1]",
      "[",
      "?",
      "#",
      "@",
      "..",
    ).map((parts) => parts.join("")),
    isReadable: (text) => URL.canParse(text),
  },
  // The server creates these values, or takes any text.
  uuid: { texts: fc.uuid(), isReadable: always },
  password: { texts: fc.string(), isReadable: always },
  binary: { texts: fc.string(), isReadable: always },
};

function formatsIn(value: unknown, formats = new Set<string>()): ReadonlySet<string> {
  if (value === null || typeof value !== "object") return formats;
  const { format, type } = value as { readonly format?: unknown; readonly type?: unknown };
  if (typeof format === "string" && type !== undefined) formats.add(format);
  for (const member of Object.values(value)) formatsIn(member, formats);
  return formats;
}

describe.each([...formatsIn([servedDocument(), importSchemas()])])("the format %s", (format) => {
  test("is read by a parser wherever it is accepted, and its stored form stays the same", () => {
    const law = laws[format];
    const check = schemaCheck({ type: "string", format });
    if (law === undefined) throw new Error(`no law for ${format}`);
    const store = (text: string) => String(inNormalForm({ type: "string", format }, text));
    fc.assert(
      fc.property(law.texts, (text) => {
        if (!check(text)) return;
        const stored = store(text);
        expect(check(stored)).toBe(true);
        expect(store(stored)).toBe(stored);
        expect(law.isReadable(stored)).toBe(true);
      }),
      { numRuns: runs(2_000) },
    );
  });
});
