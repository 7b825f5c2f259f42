import { stringify, type ScalarTag } from "yaml";

/**
 * Texts that some parser reads as another value: `on`, `1:30`, `010`, `1e3`, `2026-01-02`, `~`, `=`, `<<`. Only
 * words are clear, except those for booleans, null and numbers in any capitals. PyYAML rejects some tabs.
 */
const unclear =
  /^(?!\p{L})|^(?:y|yes|n|no|on|off|true|false|null|nil|none|undefined|nan|inf|infinity)$|\t/iu;

/** A text that matches a tag is written in quotation marks. This tag is never read. */
const quoted: ScalarTag = {
  tag: "!quoted",
  default: true,
  test: unclear,
  resolve: (text) => text,
};

/** Characters that YAML 1.1 does not allow, or reads as line breaks. */
const special = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** A text of a JSON value that starts with a space or a tab, after any line breaks. As a block it is read wrongly. */
const blankAtStart = /[[{:,]"(?:\\n)*(?: |\\t)/;

/** The YAML of a JSON text. Parsers of YAML 1.1 and 1.2 read the same from it. */
export function yamlOf(json: string): string {
  const value: unknown = JSON.parse(json);
  // Only a text in quotation marks can contain escapes.
  const escapes = json.search(special) >= 0 || blankAtStart.test(json);
  const text = stringify(value, {
    schema: "core",
    customTags: (tags) => [...tags, quoted],
    lineWidth: 100,
    doubleQuotedMinMultiLineLength: Infinity,
    aliasDuplicateObjects: false,
    ...(escapes ? { defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" } : {}),
  });
  return text.replaceAll(
    special,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
