import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, type TestApi } from "./support/api.ts";

let api: TestApi;
let finish: () => Promise<void>;
beforeAll(async () => {
  api = await startTestApi({ databaseUrl: "sqlite::memory:" }, (cleanUp) => (finish = cleanUp));
});
afterAll(() => finish());

test("requests are held to the document, with their headers and scopes", async () => {
  const broken = await api.request("GET", "/user-management/queries/users/v1", {
    query: { limits: 1 },
  });
  expect(broken.status).toBe(400);
  expect(broken.text).toContain("query.limits: unknown parameter; did you mean limit?");
  const path = "/image-assessment/entities/image-inventory/v1";
  const unheaded = await api.request("POST", path, { body: {} });
  expect(unheaded.status).toBe(400);
  expect(unheaded.text).toContain("header.X-Scan-Ticket: is required");
  const read = await api.newToken(api.client, { scope: "user-management:read" });
  const refused = await api.request("POST", "/user-management/entities/users/v1", { token: read });
  expect(refused.status).toBe(403);
});

test("a file is offered in its own form only", async () => {
  const path =
    "/container-security/entities/exports/files/v1?id=0d9f6b0c-1111-4222-8333-444455556666";
  const refused = await api.request("GET", path, { headers: { accept: "application/xml" } });
  expect(refused.status).toBe(406);
});
