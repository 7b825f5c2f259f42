import { blobContent } from "../../../calls/blob-content.ts";
import type { Context } from "../../../calls/context.ts";
import { errors } from "../../../foundation/errors.ts";
import type { LinkKind, UsedLink } from "../../../calls/handler.ts";
import { everyCase } from "../access-tags/reader.ts";
import { caseFiles, isAvailable, type AvailableFile } from "./files.ts";

/** The files of a link. 404 unless all of them still exist with content. */
async function linked(
  { store }: Context,
  { members: { cid }, now }: UsedLink,
  ids: readonly string[],
): Promise<readonly AvailableFile[]> {
  const filesById = await store.records(caseFiles, everyCase(cid)).getComplete(ids, now);
  const files = ids.flatMap((id) => filesById.get(id) ?? []).filter(isAvailable);
  if (files.length < ids.length) throw errors.fileGone();
  return files;
}

/**
 * Serves the links to files of cases. A link remains valid even if its creator can no longer see
 * the case.
 */
export const caseFileLinks: readonly LinkKind[] = [
  {
    route: "case-files/:id",
    members: [],
    ranges: true,
    open: async (context, link) => {
      const [file] = await linked(context, link, [link.id]);
      if (file === undefined) throw errors.fileGone();
      return blobContent(context.blobs, { sha256: file.hash_value, name: file.name });
    },
  },
  {
    route: "case-files.zip",
    members: ["ids"],
    ranges: false,
    open: async (context, link) => {
      const files = await linked(context, link, (link.members["ids"] ?? "").split(","));
      // Loaded for the first archive, because pages download the server.
      const { openArchive, archiveBytes } = await import("./archive.ts");
      return {
        name: "case-files.zip",
        mediaType: "application/zip",
        bytes: archiveBytes(files),
        open: () => openArchive(files, context.blobs),
      };
    },
  },
];
