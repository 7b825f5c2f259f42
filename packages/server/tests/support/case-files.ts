import type { components } from "@security-platform/spec";
import { expect } from "vitest";
import type { Answer, TestApiOptions } from "./api.ts";
import { openSession as openCasesSession, type Session as CasesSession } from "./cases.ts";
import { sessionSuite, type BaseSession } from "./session.ts";
import type { Database } from "./shared-api.ts";

type Schemas = components["schemas"];
export type FileDetail = Schemas["FileDetail"];

export const filePaths = {
  aggregates: "/case-files/aggregates/file-details/v1",
  archive: "/case-files/entities/files/bulk-download/v1",
  combined: "/case-files/combined/file-details/v1",
  details: "/case-files/entities/file-details/v1",
  download: "/case-files/entities/files/download/v1",
  files: "/case-files/entities/files/v1",
  ids: "/case-files/queries/file-details/v1",
  metadata: "/case-files/entities/get-rtr-file-metadata/v1",
  retrieve: "/case-files/entities/retrieve-rtr-file/v1",
  recent: "/case-files/entities/retrieve-rtr-recent-file/v1",
  upload: "/case-files/entities/files/upload/v1",
} as const;

export const noFile = "0".repeat(32);

export interface NewUpload {
  readonly content?: string | Uint8Array<ArrayBuffer>;
  readonly name?: string;
  readonly description?: string;
}

export interface Session extends CasesSession {
  send<Body = readonly FileDetail[]>(caseId: string, upload?: NewUpload): Promise<Answer<Body>>;
  /** Uploads a file and expects success. */
  upload(caseId: string, upload?: NewUpload): Promise<FileDetail>;
  details<Body = readonly FileDetail[]>(...ids: readonly string[]): Promise<Answer<Body>>;
  /** Reads a file and expects that it exists. */
  file(id: string): Promise<FileDetail>;
  listed(filter?: string): Promise<readonly FileDetail[]>;
  link(id: string): Promise<string>;
}

export const formOf = (
  caseId: string,
  { content = "content", name = "a.txt", description }: NewUpload = {},
): FormData => {
  const form = new FormData();
  form.append("case_id", caseId);
  if (description !== undefined) form.append("description", description);
  form.append("file", new Blob([content]), name);
  return form;
};

export const caseFilesSuite = (
  database: Database,
  options: Omit<TestApiOptions, "databaseUrl"> = {},
) => sessionSuite(database, openSession, options);

export function openSession(base: BaseSession, number: number): Session {
  const session = openCasesSession(base, number);
  const { request } = base;
  const send: Session["send"] = (caseId, upload) =>
    request("POST", filePaths.upload, { body: formOf(caseId, upload) });
  const details: Session["details"] = (...ids) =>
    request("GET", filePaths.details, { query: { ids } });
  return {
    ...session,
    send,
    upload: async (caseId, upload) => {
      const answer = await send(caseId, upload);
      expect(answer.status, answer.text).toBe(200);
      return answer.body[0] as FileDetail;
    },
    details,
    file: async (id) => {
      const answer = await details(id);
      expect(answer.status, answer.text).toBe(200);
      return answer.body[0] as FileDetail;
    },
    listed: async (filter = "") => {
      const answer = await request<readonly FileDetail[]>("GET", filePaths.combined, {
        query: { filter },
      });
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    },
    link: async (id) => {
      const answer = await request<readonly { link: string }[]>("GET", filePaths.download, {
        query: { id },
      });
      expect(answer.status, answer.text).toBe(200);
      return answer.body[0]?.link ?? "";
    },
  };
}
