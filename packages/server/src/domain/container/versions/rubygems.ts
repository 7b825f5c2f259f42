import { compareDigits, compareText, versionOrdering } from "./ordering.ts";

const form = /^\d+(?:\.[0-9A-Za-z]+)*(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/**
 * The versions of RubyGems: segments of digits and of letters, where letters are older than digits.
 * Trailing zeros and zeros before the first letter are ignored. A hyphen is read as `.pre.`.
 */
export const rubygemsVersions = versionOrdering<readonly string[]>({
  parse(text) {
    const version = text.trim();
    if (version === "") return [];
    if (!form.test(version)) return undefined;
    const segments = version.replaceAll("-", ".pre.").match(/\d+|[A-Za-z]+/g) ?? [];
    const letter = segments.findIndex((segment) => !isNumber(segment));
    if (letter < 0) return withoutTrailingZeros(segments);
    return [
      ...withoutTrailingZeros(segments.slice(0, letter)),
      ...withoutTrailingZeros(segments.slice(letter)),
    ];
  },
  compare(left, right) {
    for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
      const one = left[index] ?? "0";
      const other = right[index] ?? "0";
      const number = isNumber(one);
      if (number !== isNumber(other)) return number ? 1 : -1;
      const difference = number ? compareDigits(one, other) : compareText(one, other);
      if (difference !== 0) return difference;
    }
    return 0;
  },
});

function isNumber(segment: string): boolean {
  return /^\d/.test(segment);
}

function withoutTrailingZeros(segments: readonly string[]): string[] {
  let end = segments.length;
  while (end > 0 && /^0+$/.test(segments[end - 1] as string)) end -= 1;
  return segments.slice(0, end);
}
