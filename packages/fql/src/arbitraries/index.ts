export { arbitraryFields } from "./fields.ts";
export { arbitraryFilter, arbitraryTree } from "./filters.ts";
export { arbitraryRecord } from "./records.ts";
export { runs } from "./runs.ts";
export { arbitraryNow, arbitraryText, arbitraryValue } from "./values.ts";
