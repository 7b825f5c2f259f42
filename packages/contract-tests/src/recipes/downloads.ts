import type { RequestParts } from "../requests/request.ts";
import { sha256Of } from "./identifiers.ts";
import { recordsIn, type CollectionRecipe, type Subject } from "./recipe.ts";

/** Name and version of the first file of a subject. */
const named = ({ namespace, records: [record] }: Subject): Partial<RequestParts> => ({
  query: {
    file_name: String(record?.["file_name"] ?? `${namespace}.zip`),
    file_version: String(record?.["file_version"] ?? "1.0.0"),
  },
});

/** The operations only read: no operation creates files. */
export const downloads: CollectionRecipe = {
  resources: {
    downloads: {
      idField: "file_name",
      versions: ["file_version"],
      phantom: (namespace, number) => ({
        file_name: `${namespace}-${number}.zip`,
        file_version: `1.${number}.0`,
        category: namespace,
        file_hash: sha256Of(namespace, number),
      }),
      lifecycle: null,
      find: async ({ read }) => {
        const content = await read("EnumerateFile", {});
        return recordsIn((content as { files?: unknown } | undefined)?.files);
      },
    },
  },
  operations: {
    FetchFilesDownloadInfoV2: { resource: "downloads", effect: "none" },
    FetchFilesDownloadInfo: { resource: "downloads", effect: "none" },
    EnumerateFile: { resource: "downloads", effect: "none", request: named },
    DownloadFile: { resource: "downloads", effect: "none", single: true, request: named },
  },
};
