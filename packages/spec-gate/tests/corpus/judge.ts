import { compareDocuments, type Result } from "../../src/compare/compare-documents.ts";
import type { JsonObject } from "../../src/json.ts";
import { documentOf } from "../../src/read/load-document.ts";
import { testDay } from "../../src/testing/documents.ts";
import { breakingKinds } from "./breaking-kinds.ts";
import { real } from "./document.ts";
import type { Kind } from "./kind.ts";
import { safeKinds } from "./safe-kinds.ts";
import { schemaKinds } from "./schema-kinds.ts";

/** Every kind with a suitable place in the real document. */
export const kinds: readonly Kind[] = [...schemaKinds, ...breakingKinds, ...safeKinds].filter(
  (kind) => kind.places().length > 0,
);

/** The verdict of the gate on an edit of the real document. */
export function judged(root: JsonObject): Result {
  const isShared = root["components"] === real.root["components"];
  const revision = documentOf(root, "revision.json", isShared ? real : undefined);
  return compareDocuments(real, revision, { today: testDay });
}
