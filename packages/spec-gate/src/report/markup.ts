import { oneLine } from "../json.ts";

/**
 * Text for Markdown that must not be markup, mention a person or become a link. GitHub also finds
 * mentions and links in escaped text, so an empty comment parts them.
 */
export const plainText = (text: string): string =>
  oneLine(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[\\`*_[\]|~]/g, String.raw`\$&`)
    .replaceAll(/[@#]|:(?=\/\/)|\bwww(?=\.)/gi, "$&<!-- -->");

/** Text for Markdown as code, also in a table. */
export function code(text: string): string {
  const plain = oneLine(text);
  // In a code span a backtick or a pipe cannot be escaped in every case.
  const isSafe = plain.trim() === plain && plain !== "" && !/[`|\\]/.test(plain);
  return isSafe ? `\`${plain}\`` : `<code>${plainText(plain)}</code>`;
}
