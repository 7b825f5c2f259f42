/** A version that an ordering has parsed; only that ordering can compare it. */
export type ParsedVersion = { readonly __version: unique symbol };

/** The version ordering of an ecosystem. */
export interface VersionOrdering {
  /** Undefined if the text is not a version of the ecosystem. */
  parse(text: string): ParsedVersion | undefined;
  /**
   * Negative if `left` is older than `right`, positive if it is newer, 0 if both are the same
   * version.
   */
  compare(left: ParsedVersion, right: ParsedVersion): number;
}

/** An ordering that hides its parsed form from other modules. */
export function versionOrdering<Version>(rules: {
  parse: (text: string) => Version | undefined;
  compare: (left: Version, right: Version) => number;
}): VersionOrdering {
  return rules as unknown as VersionOrdering;
}

/** Compares whole numbers of any length, written in decimal digits. */
export function compareDigits(left: string, right: string): number {
  const one = withoutLeadingZeros(left);
  const other = withoutLeadingZeros(right);
  return one.length - other.length || compareText(one, other);
}

/** Compares by code unit, independent of the locale. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function withoutLeadingZeros(digits: string): string {
  let start = 0;
  while (start < digits.length && digits.charCodeAt(start) === 48) start += 1;
  return digits.slice(start);
}

/** Index of the first character from `start` on that is not a decimal digit. */
export function endOfDigits(text: string, start: number): number {
  let end = start;
  while (end < text.length && isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}
