import { Document, Scalar, visit } from "yaml";

/** Texts that are read wrongly without quotation marks: blanks at the start of a block, a mark of byte order. */
const blankAtStart = /^\n*[ \t\ufeff]/;

/** The YAML of a value, without aliases. Lines are not folded, so that a changed text changes one line. */
export const yamlText = (value: unknown): string =>
  documentText(new Document(value, { aliasDuplicateObjects: false }));

/** The YAML of a document. Every text is read from it as it was. */
export function documentText(document: Document): string {
  visit(document, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value !== "string" || !blankAtStart.test(scalar.value)) return;
      scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  // Line breaks between quotation marks are escapes.
  return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Infinity });
}
