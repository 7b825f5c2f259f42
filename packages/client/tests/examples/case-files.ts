import { expect } from "vitest";
import { filters, type OperationId } from "../../src/index.ts";
import { fetchedFile, hostFile } from "../support/host-folder.ts";
import { deviceId } from "../support/live-server.ts";
import type { Examples, World } from "./example.ts";

const like = (members: object): unknown => expect.objectContaining(members);
const link = like({ link: expect.stringContaining("/files/case-files") as string });
const content = "process,parent\nviewer.exe,outlook.exe\n";

async function newCase({ client }: World): Promise<string> {
  const { data } = await client.caseManagement.createCase({
    body: { name: "Emberfall", severity: 70 },
  });
  return data[0]?.id ?? "";
}

/** A case with one file; returns the ids of both. */
async function uploaded(world: World): Promise<{ readonly id: string; readonly case_id: string }> {
  const case_id = await newCase(world);
  const file = new File([content], "tree.csv");
  const { data } = await world.client.caseManagement.uploadFile({ body: { case_id, file } });
  return { id: data[0]?.id ?? "", case_id };
}

const withHost = ({ server, tenant }: World): Promise<void> =>
  server.importRecords(tenant, "hosts", [
    {
      device_id: deviceId,
      hostname: "h",
      platform_name: "Linux",
      last_seen: "2026-02-01T00:00:00Z",
    },
  ]);

export const caseFileExamples = {
  "aggregates.file-details.post.v1": async (world) => {
    const { id, case_id } = await uploaded(world);
    return {
      input: { ids: [id], body: { name: "cases", type: "terms", field: "case_id" } },
      expected: [like({ name: "cases", buckets: [like({ label: case_id, count: 1 })] })],
    };
  },
  "combined.file-details.get.v1": async (world) => {
    const { id, case_id } = await uploaded(world);
    await uploaded(world);
    const filter = filters["file-details"].where("case_id").equals(case_id);
    return { input: { filter }, expected: [like({ id, file_type: "text/csv" })] };
  },
  "entities.file-details.get.v1": async (world) => {
    const { id } = await uploaded(world);
    return { input: { ids: [id] }, expected: [like({ id, name: "tree.csv" })] };
  },
  "entities.file-details.patch.v1": async (world) => {
    const { id } = await uploaded(world);
    return {
      input: { body: { id, description: "better" } },
      expected: [like({ id, description: "better" })],
    };
  },
  "entities.files.delete.v1": async (world) => {
    const { id } = await uploaded(world);
    return { input: { ids: [id] }, expected: [id] };
  },
  "entities.files_bulk-download.post.v1": async (world) => {
    const { id } = await uploaded(world);
    return { input: { body: { ids: [id] } }, expected: [link] };
  },
  "entities.files_download.get.v1": async (world) => {
    const { id } = await uploaded(world);
    return { input: { id }, expected: [link] };
  },
  "entities.files_download.post.v1": async (world) => {
    const { id } = await uploaded(world);
    return { input: { body: { ids: [id] } }, expected: [link] };
  },
  "entities.files_upload.post.v1": async (world) => {
    const case_id = await newCase(world);
    const file = new File([content], "tree.csv");
    return {
      input: { body: { case_id, description: "Started", file } },
      expected: [like({ case_id, name: "tree.csv", file_size: "38 B", status: "available" })],
    };
  },
  "entities.get-rtr-file-metadata.post.v1": async (world) => {
    await withHost(world);
    return {
      input: { body: { aid: deviceId, file_path: hostFile.path } },
      expected: [{ file_name: "auth.log", file_size: "15 B" }],
    };
  },
  "entities.retrieve-rtr-file.post.v1": async (world) => {
    await withHost(world);
    const case_id = await newCase(world);
    return {
      input: { body: { case_id, aid: deviceId, file_path: hostFile.path } },
      expected: [like({ case_id, name: "auth.log", source: "rtr", status: "requested" })],
    };
  },
  "entities.retrieve-rtr-recent-file.post.v1": async (world) => {
    await withHost(world);
    const case_id = await newCase(world);
    const { session_id, sha256, name } = fetchedFile;
    return {
      input: { body: { case_id, session_id, sha256 } },
      expected: [
        like({ case_id, name, source: "rtr_recent", status: "available", hash_value: sha256 }),
      ],
    };
  },
  "queries.file-details.get.v1": async (world) => {
    const { id } = await uploaded(world);
    return { input: { limit: 1 }, expected: [id] };
  },
} satisfies Partial<Examples<OperationId>>;
