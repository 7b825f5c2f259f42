/** Formats whose values all belong to a wider format. */
const wider: Readonly<Record<string, readonly string[]>> = {
  int8: ["int16", "int32", "int64", "float", "double"],
  uint8: ["int16", "int32", "int64", "float", "double", "uint16", "uint32", "uint64"],
  int16: ["int32", "int64", "float", "double"],
  uint16: ["int32", "int64", "float", "double", "uint32", "uint64"],
  int32: ["int64", "double"],
  uint32: ["int64", "uint64", "double"],
  float: ["double"],
  email: ["idn-email"],
  hostname: ["idn-hostname"],
  uri: ["iri", "uri-reference", "iri-reference"],
  url: ["uri", "iri", "uri-reference", "iri-reference"],
  "uri-reference": ["iri-reference"],
  iri: ["iri-reference"],
};

export const isFormatWithin = (narrow: string, wide: string): boolean =>
  narrow === wide || wider[narrow]?.includes(wide) === true;

/** Formats for display only, which do not limit the valid values. */
const presentational = new Set(["password", "textarea", "markdown", "html", "multiline", "string"]);

/**
 * The formats that limit a type. All integers of JSON are int64 in practice, all numbers double.
 */
export function limitingFormats(
  formats: readonly string[],
  type: "integer" | "number" | "string",
): readonly string[] {
  const implied = { integer: "int64", number: "double", string: "" }[type];
  return formats.filter((format) => format !== implied && !presentational.has(format));
}

/** Whether values of all the first formats are values of all the second. */
export const areFormatsWithin = (narrow: readonly string[], wide: readonly string[]): boolean =>
  wide.every((each) => narrow.some((own) => isFormatWithin(own, each)));
