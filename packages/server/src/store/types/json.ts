/** Any JSON object. The document defines the shape of a resource's records. */
export type JsonObject = { readonly [key: string]: unknown };
