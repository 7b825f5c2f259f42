/**
 * Escapes control characters. Names and comments come from callers and files; unescaped, they could
 * move a terminal's cursor or hide text.
 */
export const printable = (text: string): string =>
  text.replaceAll(
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
