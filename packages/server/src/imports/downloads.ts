import { basename } from "node:path/posix";
import { downloads, storedDownload, type StoredDownload } from "../domain/downloads/downloads.ts";
import type { Importer } from "./kind.ts";

type Members = Pick<StoredDownload, "file_version" | "category" | "os" | "arch" | "file_type">;
type Line = Members & Partial<Pick<StoredDownload, "file_name" | "file_hash">> & { file: string };

/** Imports downloadable files: one entry per line, its file in the folder of the list. */
export const downloadImporter: Importer<Line, StoredDownload> = {
  resource: downloads,
  read: ({ file, file_hash = "", ...members }) => {
    const { file_name = basename(file.replaceAll("\\", "/")) } = members;
    if (file_name === "" || file_name.length > 256) {
      return { problems: [{ at: "file_name", message: "expected 1 to 256 characters" }] };
    }
    const file_type = members.file_type ?? typeOf(file_name);
    return {
      record: storedDownload({
        ...members,
        file_name,
        ...(file_type === undefined ? {} : { file_type }),
        // Placeholders until the file has been read.
        file_hash,
        size: 0,
      }),
    };
  },
  takeFile: async ({ line, record }, files, stored) => {
    if (stored !== undefined && (await files.has(stored.file_hash))) return { record: stored };
    const taken = await files.take(line.file);
    if ("problem" in taken) {
      return { problems: [{ at: "file", message: `${line.file}: ${taken.problem}` }] };
    }
    const { sha256, bytes } = taken;
    if (line.file_hash !== undefined && line.file_hash !== sha256) {
      const message = `${line.file} has ${sha256}, which does not match file_hash`;
      return { problems: [{ at: "file_hash", message }] };
    }
    return { record: storedDownload({ ...record, file_hash: sha256, size: bytes }) };
  },
};

/** The extension of a file name: `tar.gz` for `tool_1.2.tar.gz`. */
const typeOf = (name: string): string | undefined =>
  /\.(?<type>(?:tar\.)?[a-z][a-z0-9]{0,15})$/i.exec(name)?.groups?.["type"]?.toLowerCase();
