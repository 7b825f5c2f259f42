import type { components } from "@security-platform/spec";
import { expect } from "vitest";
import { exportJobs, type ExportJob } from "../../src/domain/container/exports/export-jobs.ts";
import { vulnerabilityRows, type VulnerabilityRow } from "../../src/domain/container/scans/rows.ts";
import { newUuid } from "../../src/foundation/identifiers.ts";
import type { Store } from "../../src/store/types/types.ts";
import type { TestApi } from "./api.ts";
import type { ErrorBody } from "./session.ts";

type Schemas = components["schemas"];
export type Export = Schemas["ExportJob"];
export type ExportRequest = Schemas["ExportJobRequest"];

export const exportsPath = "/container-security/entities/exports/v1";
export const exportIdsPath = "/container-security/queries/exports/v1";
export const exportFilesPath = "/container-security/entities/exports/files/v1";

/** Launches an export. Returns its id. */
export async function launch(api: TestApi, body: ExportRequest): Promise<string> {
  const answer = await api.request<readonly string[]>("POST", exportsPath, { body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body[0] ?? "";
}

export async function exportOf(api: TestApi, id: string): Promise<Export> {
  const { body } = await api.request<readonly Export[]>("GET", exportsPath, { query: { ids: id } });
  return body[0] as Export;
}

/** The response to a download, whose body is not JSON. */
export const download = (
  api: Pick<TestApi, "url" | "token">,
  id: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(`${api.url}${exportFilesPath}?id=${id}`, {
    headers: { authorization: `Bearer ${api.token}`, ...headers },
  });

/** Launches an export, runs it, and returns its file. */
export async function exported(api: TestApi, body: ExportRequest): Promise<string> {
  const id = await launch(api, body);
  await api.work();
  const response = await download(api, id);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text;
}

export async function rejection(
  api: TestApi,
  body: unknown,
): Promise<{ readonly status: number; readonly messages: readonly string[] }> {
  const answer = await api.request<ErrorBody>("POST", exportsPath, { body });
  return { status: answer.status, messages: answer.body.errors.map(({ message }) => message) };
}

/** A row of a vulnerability. Ten rows belong to one image. */
export const vulnerability = (
  number: number,
  members: Partial<VulnerabilityRow> = {},
): VulnerabilityRow => {
  const image = Math.floor(number / 10);
  const scan = `00000000-0000-4000-8000-${String(image).padStart(12, "0")}`;
  return {
    id: `${scan}/${number % 10}`,
    scan,
    cve_id: `CVE-2024-${String(10_000 + (number % 1_000))}`,
    severity: ["low", "medium", "high", "critical"][number % 4] ?? "none",
    cvss_score: number % 5 === 0 ? null : (number % 100) / 10,
    package_name: `package-${number % 300}`,
    package_version: `1.${number % 40}.0`,
    fixed_version: number % 3 === 0 ? null : `1.${(number % 40) + 1}.0`,
    published_at: "2024-05-01T00:00:00Z",
    image_digest: `sha256:${String(image).padStart(64, "0")}`,
    registry: "registry.example.com",
    repository: `shop/service-${image % 50}`,
    tag: `1.${image}`,
    ...members,
  };
};

/** Stores rows in transactions of some thousands. */
export async function storeVulnerabilities(
  store: Pick<Store, "write">,
  cid: string,
  rows: readonly VulnerabilityRow[],
  now: Date,
): Promise<void> {
  for (let start = 0; start < rows.length; start += 5_000) {
    await store.write(cid, async (transaction) => {
      const records = transaction.records(vulnerabilityRows);
      await records.insert(rows.slice(start, start + 5_000), now);
    });
  }
}

/** The records of a CSV file by RFC 4180. */
export function readCsv(text: string): readonly (readonly string[])[] {
  const records: string[][] = [];
  let record: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let match = cell.exec(text); match !== null; match = cell.exec(text)) {
    const [, quoted, plain = "", end] = match;
    record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    records.push(record);
    record = [];
  }
  const read = records.map((cells) => cells.length);
  expect(new Set(read).size, "every record has the same number of cells").toBeLessThanOrEqual(1);
  return records;
}

/** The export as it is stored. */
export async function storedExport(
  { store, tenant, clock }: Pick<TestApi, "store" | "tenant" | "clock">,
  id: string,
): Promise<{ readonly file: string }> {
  const records = store.records(exportJobs, { cid: tenant.cid });
  const job = (await records.getComplete([id], clock.now())).get(id);
  return { file: job?.file ?? "" };
}

/** Stores exports without running them, a millisecond apart. Returns their ids. */
export async function storeExports(
  { store, tenant, clock }: Pick<TestApi, "store" | "tenant" | "clock">,
  count: number,
  members: (number: number) => Partial<Export>,
): Promise<readonly string[]> {
  const jobs = Array.from({ length: count }, (_, number): ExportJob => {
    const at = new Date(clock.now().getTime() + number).toISOString();
    const resource = "images.packages";
    const job = { id: newUuid(), resource, retries: 0, created_at: at, updated_at: at } as const;
    const request = { resource, format: "json" } as const;
    const none = { file: null, bytes: null, expires_at: null };
    return { ...job, status: "READY", ...members(number), request, ...none };
  });
  await store.write(tenant.cid, async (transaction) => {
    await transaction.records(exportJobs).insert(jobs, clock.now());
  });
  clock.advance(count);
  return jobs.map(({ id }) => id);
}
