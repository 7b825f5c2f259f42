import {
  compareDigits,
  compareText,
  endOfDigits,
  isDigit,
  isLetter,
  versionOrdering,
} from "./ordering.ts";

interface RpmVersion {
  readonly epoch: string;
  readonly version: string;
  /** Undefined if only a version is known; it then equals any release. */
  readonly release: string | undefined;
}

/** `[epoch:]version[-release]`, ordered as rpm orders packages (`rpmvercmp` for each part). */
export const rpmVersions = versionOrdering<RpmVersion>({
  parse(text) {
    const whole = text.trim();
    const colon = whole.indexOf(":");
    const epoch = colon < 0 ? "0" : whole.slice(0, colon) || "0";
    const rest = whole.slice(colon + 1);
    const hyphen = rest.lastIndexOf("-");
    const version = hyphen < 0 ? rest : rest.slice(0, hyphen);
    const release = hyphen < 0 ? undefined : rest.slice(hyphen + 1);
    const valid =
      /^\d+$/.test(epoch) &&
      /^[0-9A-Za-z._+~^]+$/.test(version) &&
      (release === undefined || /^[0-9A-Za-z._+~^]+$/.test(release));
    return valid ? { epoch, version, release } : undefined;
  },
  compare(left, right) {
    const difference =
      compareDigits(left.epoch, right.epoch) || compareSegments(left.version, right.version);
    if (difference !== 0 || left.release === undefined || right.release === undefined)
      return difference;
    return compareSegments(left.release, right.release);
  },
});

/**
 * Compares segments of digits and of letters from the left. Other characters only separate segments, except
 * a tilde, which sorts before everything, and a caret, which sorts after the end but before other segments.
 */
function compareSegments(left: string, right: string): number {
  let at = 0;
  let to = 0;
  for (;;) {
    at = nextSegment(left, at);
    to = nextSegment(right, to);
    for (const mark of ["~", "^"] as const) {
      const here = left[at] === mark;
      const there = right[to] === mark;
      if (!here && !there) continue;
      if (here && there) return compareSegments(left.slice(at + 1), right.slice(to + 1));
      if (mark === "~") return here ? -1 : 1;
      const ended = here ? to >= right.length : at >= left.length;
      return here === ended ? 1 : -1;
    }
    if (at >= left.length || to >= right.length) break;
    const digits = isDigit(left.charCodeAt(at));
    if (digits !== isDigit(right.charCodeAt(to))) return digits ? 1 : -1;
    const end = digits ? endOfDigits(left, at) : endOfLetters(left, at);
    const until = digits ? endOfDigits(right, to) : endOfLetters(right, to);
    const one = left.slice(at, end);
    const other = right.slice(to, until);
    const difference = digits ? compareDigits(one, other) : compareText(one, other);
    if (difference !== 0) return difference;
    at = end;
    to = until;
  }
  return Number(at < left.length) - Number(to < right.length);
}

function nextSegment(text: string, start: number): number {
  let at = start;
  while (at < text.length && !/[0-9A-Za-z~^]/.test(text[at] as string)) at += 1;
  return at;
}

function endOfLetters(text: string, start: number): number {
  let end = start;
  while (end < text.length && isLetter(text.charCodeAt(end))) end += 1;
  return end;
}
