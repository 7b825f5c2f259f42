/** A part of a line that differs between runs or machines, and the expression for it. */
export interface VolatilePart {
  /** The offset of the first character after the part. */
  readonly end: number;
  readonly expression: string;
}

/** Finds a part of one kind at offset `at`, in bounded time. */
type Finder = (line: string, at: number) => VolatilePart | null;

const matched = (pattern: RegExp, line: string, at: number): string | null => {
  pattern.lastIndex = at;
  return pattern.exec(line)?.[0] ?? null;
};

/** A part that matches a pattern. Patterns are sticky and of bounded length. */
const simple =
  (pattern: RegExp, expression: string, starts: (line: string, at: number) => boolean): Finder =>
  (line, at) => {
    if (!starts(line, at)) return null;
    const text = matched(pattern, line, at);
    return text === null ? null : { end: at + text.length, expression };
  };

const wordCharacter = /[\p{L}\p{N}_]/u;
const atWord = (line: string, at: number): boolean => !wordCharacter.test(line[at - 1] ?? "");
const digit = /[0-9]/;
const atDigits = (line: string, at: number): boolean =>
  digit.test(line[at] ?? "") && !digit.test(line[at - 1] ?? "");

const guid = simple(
  /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9a-z_])/iy,
  "[0-9a-f-]{36}",
  atWord,
);

const volume = simple(/HarddiskVolume[0-9]{1,4}(?![0-9])/iy, String.raw`HarddiskVolume\d+`, atWord);

/** Security identifiers of Windows accounts. */
const account = simple(/S-1-[0-9]{1,20}(?:-[0-9]{1,20}){1,15}/iy, String.raw`S-1-[\d-]+`, atWord);

const instant = simple(
  /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:?[0-9]{2}(?::?[0-9]{2}(?:\.[0-9]{1,9})?)?Z?/iy,
  String.raw`[\d:.TZ-]+`,
  atWord,
);

const hexadecimalNumber = simple(/0x[0-9a-f]{1,64}(?![0-9a-z_])/iy, "0x[0-9a-f]+", atWord);

/** Hashes and handles. A word of only the letters a to f is not one. */
const hexadecimalRun: Finder = (line, at) => {
  if (!atWord(line, at)) return null;
  const text = matched(/[0-9a-f]{8,128}(?![0-9a-z_])/iy, line, at);
  if (text === null || !/[0-9]/.test(text) || !/[a-f]/i.test(text)) return null;
  return { end: at + text.length, expression: "[0-9a-f]+" };
};

/** Versions and IP addresses. `3.11` in `python3.11` belongs to the name. */
const version: Finder = (line, at) => {
  if (!atDigits(line, at)) return null;
  const text = matched(/[0-9]{1,10}(?:\.[0-9]{1,10}){1,8}/y, line, at);
  if (text === null) return null;
  const insideName = !atWord(line, at) && text.split(".").length < 3;
  return insideName ? null : { end: at + text.length, expression: String.raw`\d+(\.\d+)+` };
};

const digitsOfCounters = 4;

/** Separate numbers, and long numbers anywhere. `System32` and `x64` are names. */
const number: Finder = (line, at) => {
  if (!atDigits(line, at)) return null;
  const text = matched(/[0-9]+/y, line, at) ?? "";
  const end = at + text.length;
  const alone = atWord(line, at) && !wordCharacter.test(line[end] ?? "");
  return alone || text.length >= digitsOfCounters ? { end, expression: String.raw`\d+` } : null;
};

const userFolders = ["\\users\\", "/users/", "/home/", "\\documents and settings\\"];
const sharedFolders = new Set(["public", "default", "all users", "default user", "shared"]);

/** The name of a user's home folder. It may contain spaces if another folder follows. */
const userName: Finder = (line, at) => {
  if (!isAfter(line, at, userFolders)) return null;
  const name =
    matched(/[^\\/"'<>|:*?\r\n]{1,64}(?=[\\/])/y, line, at) ??
    matched(/[^\\/"'<>|:*?\s]{1,64}/y, line, at);
  if (name === null || sharedFolders.has(name.toLowerCase())) return null;
  return { end: at + name.length, expression: String.raw`[^\\/]+` };
};

const temporaryFolders = ["\\temp\\", "\\tmp\\", "/tmp/", "/temp/"];

/** A random-looking name in a temporary folder, without its extension. */
const temporaryName: Finder = (line, at) => {
  const inFolder = isAfter(line, at, temporaryFolders);
  if (!inFolder && !"\\/".includes(line[at - 1] || "-")) return null;
  const name = matched(/[^\\/"'<>|:*?\s]{1,128}/y, line, at);
  if (name === null) return null;
  const isGenerated = /\.tmp$/i.test(name) || (inFolder && /[0-9~]/.test(name));
  if (!isGenerated) return null;
  const extension = /[^.](\.[a-z]{1,5})$/i.exec(name)?.[1]?.slice(1);
  const suffix = extension === undefined ? "" : String.raw`\.` + extension;
  return { end: at + name.length, expression: String.raw`[^\\/\s]+` + suffix };
};

const isAfter = (line: string, at: number, folders: readonly string[]): boolean =>
  folders.some(
    (folder) => line.slice(Math.max(0, at - folder.length), at).toLowerCase() === folder,
  );

/** The finders, the most specific first. */
const finders: readonly Finder[] = [
  userName,
  guid,
  temporaryName,
  volume,
  account,
  instant,
  hexadecimalNumber,
  hexadecimalRun,
  version,
  number,
];

/** The volatile part at offset `at`, if any. */
export function volatilePartAt(line: string, at: number): VolatilePart | null {
  for (const find of finders) {
    const part = find(line, at);
    if (part !== null) return part;
  }
  return null;
}
