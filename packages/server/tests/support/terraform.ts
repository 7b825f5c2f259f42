import { expect } from "vitest";
import type { TestApi } from "./api.ts";
import type { Envelope } from "./existing-clients.ts";

export type Resource = Envelope["resources"][number];

/** The records of a success, read as the provider does: from `resources`, with no entry of `errors`. */
export async function resources(
  api: TestApi,
  method: string,
  path: string,
  request: Parameters<TestApi["request"]>[2] = {},
): Promise<Envelope["resources"]> {
  const { body, status, text, headers } = await api.request<Envelope>(method, path, request);
  expect(status, text).toBeLessThan(300);
  expect(headers.get("content-type")).toBe("application/json");
  expect(body.errors).toEqual([]);
  return body.resources;
}

export const theOnly = (records: Envelope["resources"]): Resource => {
  expect(records).toHaveLength(1);
  return records[0] ?? {};
};

/** Reads a record after a change, as `terraform import` and every plan do. */
export const readById = (api: TestApi, path: string, ids: unknown): Promise<Resource> =>
  resources(api, "GET", path, { query: { ids: String(ids) } }).then(theOnly);
