import addFormats from "ajv-formats";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatCheck } from "./formats.ts";

/** The package is CommonJS: its default export arrives wrapped in the types, but not at run time. */
const { get } = addFormats as unknown as typeof addFormats.default;

function ofAjv(name: "email" | "uri" | "uuid", text: string): boolean {
  const format = get(name, "full");
  if (format instanceof RegExp) return format.test(text);
  if (typeof format !== "function") throw new Error(`no check of ${name}`);
  return (format as (text: string) => boolean)(text);
}

const textOf = (...parts: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(fc.constantFrom(...parts), fc.string({ maxLength: 2 })), { maxLength: 9 })
    .map((texts) => texts.join(""));

const kinds = {
  email: textOf("a", "B9", "@", ".", "-", "example", "..", "--", "+", "'", "`", "{", "ü", " "),
  uri: textOf("https:", "urn:", "//", "/", "h", ":", "443", "%41", "%zz", "?", "#", "@", "[", "."),
  uuid: fc.oneof(fc.uuid(), textOf("a0", "-", "urn:uuid:", "g")),
} as const;

/** Ajv accepts an `@` within the user of an authority; RFC 3986, section 3.2.1, does not. */
const secondUser = /^[^:]*:\/\/[^/?#]*@[^/?#]*@/;

describe.each(Object.entries(kinds) as [keyof typeof kinds, fc.Arbitrary<string>][])(
  "the format %s",
  (name, texts) => {
    test("accepts what Ajv accepts, if the platform can read it", () => {
      const isReadable = (text: string): boolean =>
        name !== "uri" || (URL.canParse(text) && !secondUser.test(text));
      fc.assert(
        fc.property(texts, (text) => {
          expect(formatCheck(name)?.(text), text).toBe(ofAjv(name, text) && isReadable(text));
        }),
        { numRuns: 5_000 },
      );
    });
  },
);

test.each([
  ["https://example.com/a?b=c#d", true],
  ["https://user:pass@[2001:db8::1]:8443/", true],
  ["urn:isbn:0451450523", true],
  ["mailto:a@example.com", true],
  ["https://[2001:db8::1::2]/", false],
  ["https://[v1.a]/", false],
  ["https://example.com:99999/", false],
  ["https://example.com/ä", false],
  ["//example.com/a", false],
  ["https:", false],
  ["https://a@@example.com", false],
  ["a b:c", false],
])("whether %s is a URI: %s", (text, isUri) => {
  expect(formatCheck("uri")?.(text)).toBe(isUri);
});

test("no format is the name of a member that all objects have", () => {
  expect(formatCheck("constructor")).toBeUndefined();
});
