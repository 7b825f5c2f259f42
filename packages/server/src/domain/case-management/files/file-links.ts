import { signLink, linkPath } from "../../../blobs/links.ts";
import type { Call, Caller } from "../../../calls/call.ts";
import { errors } from "../../../foundation/errors.ts";
import { requireEach } from "../../../records/get.ts";
import { caseReader } from "../access-tags/reader.ts";
import { caseFiles, fileNoun, isAvailable, type StoredFile } from "./files.ts";

type LinkingCall = Pick<Call, "context" | "now" | "origin"> & { readonly caller: Caller };

/**
 * Files in the order of `ids`, without duplicates. 404 for files that the caller cannot see, 409
 * for files without content.
 */
async function downloadable(
  call: LinkingCall,
  ids: readonly string[],
  at: string,
): Promise<readonly StoredFile[]> {
  const { context, now } = call;
  const filesById = await context.store
    .records(caseFiles, await caseReader(call))
    .getComplete(ids, now);
  const files = requireEach(filesById, [...new Set(ids)], fileNoun);
  const problems = files.flatMap((file) => {
    if (isAvailable(file)) return [];
    const { id, status, status_reason } = file;
    const why = status_reason === undefined ? "" : ` (${status_reason})`;
    const message = `the content of file ${id} is not available: its status is ${status}${why}`;
    return [{ at, id, message }];
  });
  if (problems.length > 0) throw errors.conflict(problems);
  return files;
}

/** A link to each file. A link stops working when its file is deleted. */
export async function linksTo(
  call: LinkingCall,
  ids: readonly string[],
  at: string,
): Promise<readonly string[]> {
  const { caller, context, now, origin } = call;
  const files = await downloadable(call, ids, at);
  return files.map(({ id }) => {
    const target = { path: `${linkPath}case-files/${id}`, members: { cid: caller.cid } };
    return signLink(target, context.linkKey, origin, now).url;
  });
}

/** One link to all files as an archive. */
export async function archiveLink(
  call: LinkingCall,
  ids: readonly string[],
  at: string,
): Promise<string> {
  const { caller, context, now, origin } = call;
  const files = await downloadable(call, ids, at);
  const members = { cid: caller.cid, ids: files.map(({ id }) => id).join(",") };
  return signLink({ path: `${linkPath}case-files.zip`, members }, context.linkKey, origin, now).url;
}
