import type { HostPath } from "./host-files.ts";

/** Control characters, which no path needs and some systems cut paths at. */
const control = /\p{Cc}/u;

/**
 * Reads the full path of a file on a host: `/var/log/auth.log` or `C:\Users\mara\notes.txt`. Both
 * separators separate in every path, so that no spelling of `..` is missed.
 */
export function readHostPath(text: string): HostPath | { readonly problem: string } {
  if (control.test(text)) return { problem: "expected a path without control characters" };
  const [, drive, rest] = /^(?:([A-Za-z]):)?[/\\](?![/\\])(.*)$/su.exec(text) ?? [];
  if (rest === undefined) {
    return { problem: "expected a full path, such as /var/log/auth.log or C:\\Temp\\a.txt" };
  }
  const names = rest.split(/[/\\]/u);
  if (names.some((name) => name === "." || name === "..")) {
    return { problem: "expected a path without the segments . and .." };
  }
  if (names.includes("")) return { problem: "expected the path of a file, without empty segments" };
  const [first = "", ...others] = drive === undefined ? names : [drive.toUpperCase(), ...names];
  return { text, segments: [first, ...others] };
}
