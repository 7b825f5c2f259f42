import { printable } from "./printable.ts";

/** A text as a word of a command line of a POSIX shell. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (printable(text) !== text) {
    // Shells read the escapes of control characters only in this form.
    return `$'${printable(text.replaceAll(/[\\']/g, String.raw`\$&`))}'`;
  }
  return text.includes("'") && !/["$`\\!]/.test(text)
    ? `"${text}"`
    : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A text as a word of a command line of the shell of this machine, for commands that a person pastes. */
export function argumentWord(text: string, platform: string = process.platform): string {
  if (platform !== "win32") return shellWord(text);
  return /^[\w@+=:./\\-]+$/.test(text) ? text : `"${text}"`;
}
