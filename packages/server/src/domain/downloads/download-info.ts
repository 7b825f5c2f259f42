import type { components } from "@security-platform/spec";
import { linkTo } from "../../blobs/links.ts";
import type { Call, Caller } from "../../calls/call.ts";
import type { CatalogueEntry } from "./downloads.ts";

type Schemas = components["schemas"];
type DownloadCall = Pick<Call, "context" | "now" | "origin"> & { readonly caller: Caller };

/** The pre-signed URL of a file, for the caller's tenant. */
export async function downloadInfo(
  { caller: { cid }, context, now, origin }: DownloadCall,
  { file_hash, file_name }: CatalogueEntry,
): Promise<Schemas["DownloadInfo"]> {
  const file = { cid, sha256: file_hash, name: file_name };
  const { url, expiresAt } = await linkTo(file, context, origin, now);
  return { download_url: url, expires_at: expiresAt.toISOString(), file_hash };
}

/** Files, each with its pre-signed URL. */
export const withAddresses = (
  asking: DownloadCall,
  entries: readonly CatalogueEntry[],
): Promise<readonly Schemas["DownloadFileInfo"][]> =>
  Promise.all(
    entries.map(async (entry) => ({
      ...entry,
      download_info: await downloadInfo(asking, entry),
    })),
  );
