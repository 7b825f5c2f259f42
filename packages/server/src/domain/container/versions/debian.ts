import { compareDigits, endOfDigits, isDigit, isLetter, versionOrdering } from "./ordering.ts";

interface DebianVersion {
  readonly epoch: string;
  readonly upstream: string;
  readonly revision: string;
}

/** `[epoch:]upstream[-revision]`, ordered as in the Debian Policy Manual, section 5.6.12. */
export const debianVersions = versionOrdering<DebianVersion>({
  parse(text) {
    const version = text.trim();
    const colon = version.indexOf(":");
    const epoch = colon < 0 ? "0" : version.slice(0, colon);
    const rest = version.slice(colon + 1);
    const hyphen = rest.lastIndexOf("-");
    const upstream = hyphen < 0 ? rest : rest.slice(0, hyphen);
    const revision = hyphen < 0 ? "" : rest.slice(hyphen + 1);
    const valid =
      /^\d+$/.test(epoch) &&
      /^[0-9][0-9A-Za-z.+:~-]*$/.test(upstream) &&
      (hyphen < 0 || /^[0-9A-Za-z.+~]+$/.test(revision));
    return valid ? { epoch, upstream, revision } : undefined;
  },
  compare: (left, right) =>
    compareDigits(left.epoch, right.epoch) ||
    compareParts(left.upstream, right.upstream) ||
    compareParts(left.revision, right.revision),
});

/** Compares runs of other characters and runs of digits in turn, from the left. */
function compareParts(left: string, right: string): number {
  let at = 0;
  let to = 0;
  while (at < left.length || to < right.length) {
    while (isOther(left, at) || isOther(right, to)) {
      const difference = weight(left, at) - weight(right, to);
      if (difference !== 0) return difference;
      at += 1;
      to += 1;
    }
    const end = endOfDigits(left, at);
    const until = endOfDigits(right, to);
    const difference = compareDigits(left.slice(at, end), right.slice(to, until));
    if (difference !== 0) return difference;
    at = end;
    to = until;
  }
  return 0;
}

function isOther(text: string, index: number): boolean {
  return index < text.length && !isDigit(text.charCodeAt(index));
}

/** A tilde sorts before the end of the part, letters before all other characters. */
function weight(text: string, index: number): number {
  if (!isOther(text, index)) return 0;
  const code = text.charCodeAt(index);
  if (code === 126) return -1;
  return isLetter(code) ? code : code + 256;
}
