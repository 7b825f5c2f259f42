import { fqlTables, type components } from "@security-platform/spec";
import { newIdentifier } from "../../../foundation/identifiers.ts";
import { memberOrder } from "../../../records/member-order.ts";
import type { Resource } from "../../../store/index.ts";
import { byAccessTags, type CaseReader } from "../access-tags/reader.ts";
import type { Case } from "../kinds/cases.ts";
import { displaySize } from "./display-size.ts";

type Schemas = components["schemas"];
export type FileDetail = Schemas["FileDetail"];

/** The noun for one record in messages. */
export const fileNoun = "file";

/** A stored file: the served one, and members that are never served. */
export interface StoredFile extends FileDetail {
  /** Whether the case has access tags; always in sync with the case. */
  readonly restricted: boolean;
  /** The access tags of the case. */
  readonly access_tag_ids: readonly string[];
  /** The origin of the file; only for files with the source `rtr`. */
  readonly retrieval?: { readonly aid: string; readonly file_path: string };
}

/** The filter fields of files. */
export const fileFields = fqlTables["file-details"].fields;

const hidden = ["restricted", "access_tag_ids", "retrieval"] as const;

/** Files of cases. They are visible to those who see the case. */
export const caseFiles: Resource<StoredFile, CaseReader> = {
  name: "files",
  collection: "case_management",
  fields: {
    ...fileFields,
    restricted: { type: "boolean" },
    access_tag_ids: { type: "string", array: true },
  },
  id: "id",
  visibility: byAccessTags,
  hidden,
  blobs: ["hash_value"],
  blobBytes: "file_size_bytes",
  indexes: ["case_id", "uploaded_on", "hash_value", "name"],
};

const inOrder = memberOrder<StoredFile>("FileDetail", hidden);

/** The optional members of a file. */
const absent = {
  file_size: undefined,
  file_size_bytes: undefined,
  file_type: undefined,
  hash_value: undefined,
  retrieval: undefined,
  status_reason: undefined,
};

/** The file with other members, in the document's order. */
export const withMembers = (file: StoredFile, members: Partial<StoredFile>): StoredFile =>
  inOrder({ ...absent, ...file, ...members });

/** The file after it was moved to this case. */
export const ofCase = (
  file: Omit<StoredFile, "access_tag_ids" | "case_id" | "restricted">,
  { id, access_tags }: Pick<Case, "access_tags" | "id">,
): StoredFile =>
  inOrder({
    ...absent,
    ...file,
    case_id: id,
    restricted: access_tags.length > 0,
    access_tag_ids: access_tags.map((tag) => tag.id),
  });

/** A file whose content is in the blob store. */
export type AvailableFile = StoredFile &
  Required<Pick<StoredFile, "file_size_bytes" | "hash_value">>;

export const isAvailable = (file: StoredFile): file is AvailableFile =>
  file.status === "available" && file.hash_value !== undefined;

/** The members of a file's size, in bytes and as text. */
export const sizeOf = (
  bytes: number,
): Required<Pick<FileDetail, "file_size" | "file_size_bytes">> => ({
  file_size: displaySize(bytes),
  file_size_bytes: bytes,
});

export type NewFile = Pick<FileDetail, "name" | "source" | "status"> &
  Partial<Pick<StoredFile, OptionalMember>> & {
    /** The author: e-mail address of a user, or id of an API client. */
    readonly by: string;
  };

type OptionalMember = keyof typeof absent | "description" | "id";

/** A new file of a case. */
export function newFile(
  added: Case,
  { by, description = "", ...members }: NewFile,
  now: Date,
): StoredFile {
  return ofCase(
    {
      id: newIdentifier(),
      cid: added.cid,
      uploaded_by: by,
      uploaded_on: now.toISOString(),
      description,
      ...members,
    },
    added,
  );
}
