import { createHash } from "node:crypto";

/** The same name gets the same id, so that a list without ids can be imported again. */
export const groupId = (cid: string, kind: string, name: string): string =>
  createHash("sha256").update(`${cid}/${kind}/${name}`).digest("hex").slice(0, 32);
