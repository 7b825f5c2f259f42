const longest = 255;

/** Why a text is not a valid file name; null if it is valid. */
export function nameProblem(name: string): string | null {
  if (name === "") return "expected a file with a name; send filename with the part";
  if (name.length > longest) return `expected a name of at most ${longest} characters`;
  // Some systems allow line breaks in names.
  if (/(?![\r\n])\p{Cc}/u.test(name)) {
    return "expected a name without control characters other than line breaks";
  }
  if (/^\.{1,2}$/.test(name) || /[/\\]/.test(name)) return "expected a name, not a path";
  return null;
}

/** A valid name for a file from a host, where names may be longer or contain control characters. */
export const hostFileName = (name: string): string =>
  name
    .replaceAll(/\p{Cc}/gu, "_")
    .slice(0, longest)
    .toWellFormed();

/** Characters that are not allowed in file names on some systems. */
const unsafe = /[<>:"|?*/\\\p{Cc}]/gu;
/** Device names of Windows, with any extension. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/iu;

/** The name in an archive. Every system can unpack it, and it is unique ignoring case. */
export function archiveName(name: string, usedNames: Set<string>): string {
  const plain = name
    .normalize("NFC")
    .replaceAll(unsafe, "_")
    .replace(/(?<![. ])[. ]+$/u, "");
  const safe = plain.replace(device, "_$&") || "file";
  const dot = safe.lastIndexOf(".");
  const [stem, ending] = dot > 0 ? [safe.slice(0, dot), safe.slice(dot)] : [safe, ""];
  return unusedName(usedNames, (number) => (number === 1 ? safe : `${stem} (${number})${ending}`));
}

/** The first candidate that is not used, ignoring case. Adds it to `usedNames`. Numbers start at 1. */
export function unusedName(usedNames: Set<string>, candidate: (number: number) => string): string {
  for (let number = 1; ; number += 1) {
    const name = candidate(number);
    const key = name.toLowerCase();
    if (usedNames.has(key)) continue;
    usedNames.add(key);
    return name;
  }
}
