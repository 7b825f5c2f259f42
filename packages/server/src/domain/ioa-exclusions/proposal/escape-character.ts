const special = new Set("\\.+*?()|[]{}^$");
const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const invisible = /^[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]$/u;
const loneSurrogate = /^\p{Cs}$/u;

/** The expression that matches one character. Half of a surrogate pair becomes a dot. */
export function escapeCharacter(character: string): string {
  if (special.has(character)) return `\\${character}`;
  if (loneSurrogate.test(character)) return ".";
  if (!invisible.test(character)) return character;
  return named[character] ?? `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
