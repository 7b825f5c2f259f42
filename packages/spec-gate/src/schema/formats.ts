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

/** Whether values of all the first formats are values of all the second. */
export const areFormatsWithin = (narrow: readonly string[], wide: readonly string[]): boolean =>
  wide.every((each) => narrow.some((own) => isFormatWithin(own, each)));
