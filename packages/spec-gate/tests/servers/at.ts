import type { Json, JsonObject } from "../../src/json.ts";

/** The value at a path such as `paths|/things|post`. */
export const at = (document: JsonObject, path: string): Json =>
  path.split("|").reduce<Json>((value, key) => (value as JsonObject)[key] ?? null, document);
