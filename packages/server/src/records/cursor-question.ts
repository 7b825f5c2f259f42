import { createHash } from "node:crypto";

/**
 * Identifies the list that a cursor continues. The text includes everything that the list depends on, except
 * its pages. The cursor of another list is refused.
 */
export const cursorQuestion = (cid: string, parts: readonly unknown[]): string =>
  createHash("sha256")
    .update(JSON.stringify([cid, ...parts]))
    .digest("base64url")
    .slice(0, 22);
