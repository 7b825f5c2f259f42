import { foldCase } from "@security-platform/fql";

/** Sort keys for the character that follows a common prefix of two versions. */
const before = "1";
const end = "2";
const text = "3";
const number = "4";

/**
 * A text whose order is the version order. Numbers sort as numbers (1.9.0 before 1.10.0), a suffix after
 * `-` or `~` sorts before the bare version (1.4.0-rc.1 before 1.4.0), any other suffix after it. Different
 * versions always result in different texts.
 */
export function versionOrder(version: string): string {
  const [, core = "", early] = /^(.*?)(?:[-~](.*))?$/s.exec(version) ?? [];
  const key = early === undefined ? keyOf(core) : `${keyOf(core)}${before}${keyOf(early)}`;
  return `${key}${end} ${version}`;
}

const keyOf = (part: string): string =>
  foldCase(part)
    .split(/(\d+)|[._]/)
    .filter((piece) => piece !== undefined && piece !== "")
    .map(pieceOf)
    .join("");

function pieceOf(piece: string): string {
  if (!/^\d/.test(piece)) return `${text}${piece} `;
  const digits = piece.replace(/^0+/, "");
  // The prefix is the number of digits: a number with more digits is larger.
  return `${number}${String(digits.length).padStart(2, "0")}${digits}`;
}
