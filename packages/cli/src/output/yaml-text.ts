import { Document, Scalar, visit } from "yaml";

/** Characters that YAML 1.1 does not allow, or reads as line breaks. */
const special = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Blanks at the start of a block, two marks of YAML 1.1, and special characters. */
const unclear = /^\n*[ \t]|^(?:=|<<)$|[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/;

/** Whether some parser refuses the text or reads it wrongly without quotation marks. */
const needsQuotes = (text: string): boolean =>
  unclear.test(text) || (text.includes("\t") && !text.includes("\n"));

/**
 * The YAML of a value, without aliases. Lines are not folded, so that a changed text changes one line. Words such as `on`,
 * which YAML 1.1 reads as another value, are in quotation marks.
 */
export const yamlText = (value: unknown): string =>
  documentText(new Document(value, { aliasDuplicateObjects: false, compat: "yaml-1.1" }));

/** The YAML of a document. Every text is read from it as it was. */
export function documentText(document: Document): string {
  visit(document, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value !== "string" || !needsQuotes(scalar.value)) return;
      scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  // Line breaks between quotation marks are escapes.
  const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Infinity });
  // Outside of quotation marks, only comments have such characters.
  return text.replaceAll(
    special,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
