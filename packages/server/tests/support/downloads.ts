import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { components } from "@security-platform/spec";
import { expect, onTestFinished } from "vitest";
import { filesBelow } from "../../src/imports/import-files.ts";
import { importRecords, type ImportOptions, type ImportOutcome } from "../../src/imports/index.ts";
import type { Tenant } from "../../src/store/types/types.ts";
import type { Answer, Request, TestApi } from "./api.ts";
import { sharedApi, type Database } from "./shared-api.ts";

type Schemas = components["schemas"];
export type DownloadFileInfo = Schemas["DownloadFileInfo"];
export type DownloadInfo = Schemas["DownloadInfo"];

export const paths = {
  list: "/csdownloads/combined/files-download/v2",
  listV1: "/csdownloads/combined/files-download/v1",
  download: "/csdownloads/entities/files/download/v1",
  enumerate: "/csdownloads/entities/files/enumerate/v1",
} as const;

/** A line of a list of files, and the content of the file. */
export interface OfferedFile {
  readonly file: string;
  readonly content?: string | Buffer;
  readonly file_version?: string;
  readonly [member: string]: unknown;
}

export interface Session {
  readonly api: TestApi;
  readonly tenant: Tenant;
  request<Body>(method: string, path: string, request?: Request): Promise<Answer<Body>>;
  /** Creates a folder with these files and imports it. */
  import(files: readonly OfferedFile[], more?: Partial<ImportOptions>): Promise<ImportOutcome>;
  /** Like `import`, but expects that all files are accepted. */
  have(...files: readonly OfferedFile[]): Promise<void>;
  list(query?: Request["query"]): Promise<readonly DownloadFileInfo[]>;
  /** `name version` of the files listed. */
  names(query?: Request["query"]): Promise<readonly string[]>;
  /** The address of the first file listed. */
  address(query?: Request["query"]): Promise<string>;
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "secplat-downloads-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The lines of a list of files, which are written into `folder`. */
export function writeFiles(folder: string, files: readonly OfferedFile[]): readonly string[] {
  return files.map(({ content, ...line }) => {
    if (content !== undefined) {
      mkdirSync(dirname(join(folder, line.file)), { recursive: true });
      writeFileSync(join(folder, line.file), content);
    }
    return JSON.stringify({ file_version: "1.0.0", category: "fcs", ...line });
  });
}

/**
 * One server for a suite; every test opens a session, which is a tenant that no other test sees.
 */
export function downloadsSuite(database: Database): {
  open(parent?: Tenant): Promise<Session>;
} {
  const { api } = sharedApi(database);
  return { open: (parent) => openSession(api(), parent) };
}

export async function openSession(api: TestApi, parent?: Tenant): Promise<Session> {
  const { tenant, token } = await api.newTenant("downloads", parent);
  const { store, clock, blobs } = api;
  const request: Session["request"] = (method, path, options = {}) =>
    api.request(method, path, { token, ...options });
  const load: Session["import"] = (files, more = {}) => {
    const folder = newFolder();
    return importRecords(store, {
      cid: tenant.cid,
      kind: "downloads",
      clock,
      lines: writeFiles(folder, files),
      files: filesBelow(folder, blobs),
      ...more,
    });
  };
  const list: Session["list"] = async (query = {}) => {
    const answer = await request<readonly DownloadFileInfo[]>("GET", paths.list, { query });
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  return {
    api,
    tenant,
    request,
    import: load,
    have: async (...files) => {
      expect(await load(files)).toMatchObject({ rejected: 0, problems: [] });
    },
    list,
    names: async (query) =>
      (await list(query)).map(({ file_name, file_version }) => `${file_name} ${file_version}`),
    address: async (query) => (await list(query))[0]?.download_info.download_url ?? "",
  };
}
