import { createHmac } from "node:crypto";
import { sameSecret } from "../secrets/same-secret.ts";
import type { BlobStore } from "./blob-store.ts";

/** Lifetime of a download URL. */
export const linkSeconds = 15 * 60;

/** Path of the server's own download URLs, followed by the hash or another path. */
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
 * A URL for GET without a token, valid for 15 minutes from `now`. It is the store's own URL if the store can
 * create one, otherwise a URL of the server at `origin`.
 */
export async function linkTo(
  { cid, sha256, name }: LinkedFile,
  { blobs, linkKey }: LinkParts,
  origin: string,
  now: Date,
): Promise<Link> {
  const { from, expiresAt } = lifetime(now);
  if (blobs.link !== undefined) {
    return { url: await blobs.link(sha256, { name, from, seconds: linkSeconds }), expiresAt };
  }
  return signLink({ path: `${linkPath}${sha256}`, members: { cid, name } }, linkKey, origin, now);
}

/** The content of a URL of this server: its path and members of its query. */
export interface LinkTarget {
  readonly path: string;
  readonly members: Readonly<Record<string, string>> & { readonly cid: string };
}

/** A URL of the server at `origin` for GET without a token, valid for 15 minutes from `now`. */
export function signLink(target: LinkTarget, linkKey: string, origin: string, now: Date): Link {
  const { expiresAt } = lifetime(now);
  const expires = String(expiresAt.getTime() / 1_000);
  const signature = signatureOf(target, expires, linkKey);
  const { cid, ...others } = target.members;
  const query = new URLSearchParams({ cid, expires, ...others, signature });
  return { url: `${origin}${target.path}?${query.toString()}`, expiresAt };
}

/** The members of a URL's query, or the reason for which the URL is refused. */
export type ReadLink =
  { readonly members: LinkTarget["members"] } | { readonly refused: "invalid" | "expired" };

/** Reads the path and query of a URL that `signLink` created with members of these names. */
export function readLink(
  path: string,
  query: string,
  names: readonly string[],
  linkKey: string,
  now: Date,
): ReadLink {
  const parameters = new URLSearchParams(query);
  const valueOf = (name: string): string => parameters.get(name) ?? "";
  const members = {
    cid: valueOf("cid"),
    ...Object.fromEntries(names.map((name) => [name, valueOf(name)])),
  };
  const expires = valueOf("expires");
  // `cid`, `expires` and `signature` are in every URL.
  const isComplete = parameters.size === names.length + 3 && /^\d{1,15}$/.test(expires);
  const isSigned = sameSecret(
    valueOf("signature"),
    signatureOf({ path, members }, expires, linkKey),
  );
  if (!isComplete || !isSigned) return { refused: "invalid" };
  return Number(expires) * 1_000 <= now.getTime() ? { refused: "expired" } : { members };
}

function lifetime(now: Date): { readonly from: Date; readonly expiresAt: Date } {
  const start = Math.floor(now.getTime() / 1_000);
  return { from: new Date(start * 1_000), expiresAt: new Date((start + linkSeconds) * 1_000) };
}

/**
 * Signs the expiry as text, so that no other notation of it is valid. A signature for GET is also valid for
 * HEAD.
 */
function signatureOf({ path, members }: LinkTarget, expires: string, key: string): string {
  const { cid, ...others } = members;
  return createHmac("sha256", key)
    .update(JSON.stringify(["GET", path, cid, expires, ...Object.values(others)]))
    .digest("base64url");
}
