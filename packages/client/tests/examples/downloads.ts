import { expect } from "vitest";
import { filters } from "../../src/index.ts";
import type { OperationId } from "../../src/index.ts";
import type { Examples, World } from "./example.ts";

const files = filters.downloads;
const like = (members: object): unknown => expect.objectContaining(members);

const name = "fcs_1.4.0_Linux_x86_64.tar.gz";
const entry = {
  file_name: name,
  file_version: "1.4.0",
  category: "fcs",
  os: "linux",
  arch: "amd64",
  file_type: "tar.gz",
  size: name.length,
};
const info = like({ download_url: expect.stringMatching(/^http:/) as string });

const offered = ({ server, tenant }: World): Promise<void> =>
  server.importFiles(tenant, [name, "another.zip"]);

export const downloadsExamples = {
  DownloadFile: async (world) => {
    await offered(world);
    return { input: { file_name: name, file_version: "1.4.0" }, expected: info };
  },
  EnumerateFile: async (world) => {
    await offered(world);
    return { input: { file_name: name }, expected: { files: [like(entry)] } };
  },
  FetchFilesDownloadInfo: async (world) => {
    await offered(world);
    return {
      input: { filter: files.where("file_name").equals(name) },
      expected: { files: [like({ ...entry, download_info: info })] },
    };
  },
  FetchFilesDownloadInfoV2: async (world) => {
    await offered(world);
    return {
      input: {
        filter: files.where("category").equals("fcs"),
        sort: ["file_version.desc", "file_name.desc"],
        limit: 1,
      },
      expected: [like({ ...entry, download_info: info })],
    };
  },
} satisfies Partial<Examples<OperationId>>;
