import { createHmac, timingSafeEqual } from "node:crypto";
import type { BlobStore } from "./blob-store.ts";

/** Lifetime of a download URL. */
export const linkSeconds = 15 * 60;

/** Path of the server's own download URLs; the hash follows. */
export const linkPath = "/files/";

/** A file that a tenant may download. */
export interface LinkedFile {
  readonly cid: string;
  readonly sha256: string;
  /** Suggested name for the downloaded file. */
  readonly name: string;
}

export interface Link {
  readonly url: string;
  readonly expiresAt: Date;
}

interface LinkParts {
  readonly blobs: BlobStore;
  readonly linkKey: string;
}

/**
 * A URL for GET without a token, valid for 15 minutes from `now`: the store's own where it has one, else
 * one of the server at `origin`.
 */
export async function linkTo(
  file: LinkedFile,
  { blobs, linkKey }: LinkParts,
  origin: string,
  now: Date,
): Promise<Link> {
  const start = Math.floor(now.getTime() / 1_000);
  const expires = start + linkSeconds;
  const expiresAt = new Date(expires * 1_000);
  if (blobs.link !== undefined) {
    const from = new Date(start * 1_000);
    const { sha256, name } = file;
    return { url: await blobs.link(sha256, { name, from, seconds: linkSeconds }), expiresAt };
  }
  const query = new URLSearchParams({
    cid: file.cid,
    expires: String(expires),
    name: file.name,
    signature: signatureOf(file, String(expires), linkKey),
  });
  return { url: `${origin}${linkPath}${file.sha256}?${query.toString()}`, expiresAt };
}

/** The file of a URL, or why the URL is refused. */
export type ReadLink = { readonly file: LinkedFile } | { readonly refused: "invalid" | "expired" };

const members = ["cid", "expires", "name", "signature"] as const;

/** Reads the hash and the query of a URL that `linkTo` made. */
export function readLink(sha256: string, query: string, linkKey: string, now: Date): ReadLink {
  const parameters = new URLSearchParams(query);
  const [cid = "", expires = "", name = "", signature = ""] = members.map(
    (member) => parameters.get(member) ?? "",
  );
  const file: LinkedFile = { cid, sha256, name };
  const known = parameters.size === members.length && /^\d{1,15}$/.test(expires);
  const signed = isSame(signature, signatureOf(file, expires, linkKey));
  if (!known || !signed) return { refused: "invalid" };
  return Number(expires) * 1_000 <= now.getTime() ? { refused: "expired" } : { file };
}

/** Signs the expiry as text, so that no other spelling of it is valid. A signature for GET allows HEAD, too. */
const signatureOf = ({ cid, sha256, name }: LinkedFile, expires: string, key: string): string =>
  createHmac("sha256", key)
    .update(JSON.stringify(["GET", `${linkPath}${sha256}`, cid, expires, name]))
    .digest("base64url");

/** Compares signatures in constant time. */
function isSame(given: string, expected: string): boolean {
  const right = Buffer.from(expected);
  const bytes = Buffer.from(given);
  return bytes.length === right.length && timingSafeEqual(bytes, right);
}
