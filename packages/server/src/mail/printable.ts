/**
 * Makes control characters and marks that change the text direction visible. Names come from callers, and
 * could otherwise add lines to a mail or hide parts of it.
 */
export const printable = (text: string): string =>
  text.replaceAll(
    /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
