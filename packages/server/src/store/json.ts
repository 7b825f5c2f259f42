/** Any JSON object; the shape of one record of a resource comes from the document. */
export type JsonObject = { readonly [key: string]: unknown };
