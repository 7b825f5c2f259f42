import { createHash } from "node:crypto";

/** The tenant's customer id in the format that installers expect: upper case, with a two-digit checksum. */
export function customerIdWithChecksum(cid: string): string {
  const [sum = 0] = createHash("sha256").update(cid).digest();
  return `${cid}-${sum.toString(16).padStart(2, "0")}`.toUpperCase();
}
