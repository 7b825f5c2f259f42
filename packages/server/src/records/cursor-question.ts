import { createHash } from "node:crypto";

/**
 * Names the list that a cursor continues, from everything that the list depends on except its pages.
 * A cursor of another list is refused.
 */
export const cursorQuestion = (cid: string, parts: readonly unknown[]): string =>
  createHash("sha256")
    .update(JSON.stringify([cid, ...parts]))
    .digest("base64url")
    .slice(0, 22);
