import { createHash } from "node:crypto";

/** Derived from the name, so that a list without ids can be imported repeatedly. */
export const groupId = (cid: string, kind: string, name: string): string =>
  createHash("sha256").update(`${cid}/${kind}/${name}`).digest("hex").slice(0, 32);
