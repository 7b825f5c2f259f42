/** Shannon entropy in bits per character. */
export function entropyOf(text: string): number {
  if (text === "") return 0;
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / text.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/**
 * MD5, SHA-1 and SHA-2 hashes, also with the algorithm as a prefix, as in lock files and images.
 */
const digest = /^(?:(?:md5|sha1|sha224|sha256|sha384|sha512)[-:])?[0-9a-f]+$/i;
const digestLengths = new Set([32, 40, 56, 64, 96, 128]);
const integrity = /^(?:sha1|sha256|sha384|sha512)-[A-Za-z0-9+/]+={0,2}$/;

/** Identifies something public: a UUID, or the hash of a file or a commit. */
export function isIdentifier(text: string): boolean {
  if (uuid.test(text) || integrity.test(text)) return true;
  if (!digest.test(text)) return false;
  const digits = text.slice(text.search(/[-:]/) + 1);
  return digestLengths.has(digits.length);
}

const placeholder =
  /example|sample|dummy|placeholder|change.?me|your[-_ ]|insert[-_ ]|replace|redacted|test|todo|<|>|\$\{?|\{\{|%[sd({]|\*{3}|x{4}|\.\.\.|0{6}|1234567|abcdef/i;

/** A placeholder for a value, or code that computes it. */
export function isPlaceholder(text: string): boolean {
  return placeholder.test(text) || /[()[\];,]/.test(text) || /^(.)\1*$/.test(text);
}
