import { createHash } from "node:crypto";

/** The tenant's identifier as installers take it: in upper case, with a checksum of two digits. */
export function customerIdWithChecksum(cid: string): string {
  const [sum = 0] = createHash("sha256").update(cid).digest();
  return `${cid}-${sum.toString(16).padStart(2, "0")}`.toUpperCase();
}
