import { request as sendRequest, type ClientRequest } from "node:http";
import { operations, type Operation } from "@security-platform/spec";
import { expect, test } from "vitest";
import { clientOf } from "./support/acting.ts";
import { startTestApi, type TestApi } from "./support/api.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { exampleRequest } from "./support/example-request.ts";
import { messages, type ErrorBody } from "./support/session.ts";
import { paths, type User } from "./support/users.ts";

const withScope = operations().filter(({ scope }) => scope !== null);
const withBody = withScope.filter(({ requestBody }) => requestBody !== undefined);

withPostgresAtNight((engine) => {
  test("a user without a role is refused by every operation", async () => {
    const api = await startTestApi({ databaseUrl: await engine.url() });
    const body = { uid: "nobody@every.example", password: "Quiet-harbour-1897" };
    const [user] = (await api.request<readonly User[]>("POST", paths.users, { body })).body;
    const acting = await clientOf(api, { uuid: user?.uuid ?? "" });
    const token = await acting.token();
    const before = await api.store.directory.auditEntries({ cid: api.tenant.cid, limit: 100 });
    expect(withScope.length).toBeGreaterThan(200);
    for (const operation of withScope) {
      const { address, headers, body: example } = exampleRequest(operation);
      const answer = await api.request<ErrorBody>(operation.method.toUpperCase(), address, {
        token,
        headers,
        body: example,
      });
      expect(answer.status, `${operation.id}: ${answer.text}`).toBe(403);
      if (operation.method === "head") continue;
      expect(messages(answer)[0]).toContain(`allows ${operation.scope}`);
    }
    const after = await api.store.directory.auditEntries({ cid: api.tenant.cid, limit: 100 });
    expect(after).toEqual(before);
  });

  test("a token that is revoked while the body arrives ends with the request", async () => {
    const api = await startTestApi({ databaseUrl: await engine.url() });
    expect(withBody.length).toBeGreaterThan(90);
    for (const operation of withBody) {
      const token = await api.newToken(api.client);
      const statuses = operation.responses.map(({ status }) => status);
      const status = await sendInHalves(api, operation, token, async () => {
        const revoked = await api.request("POST", "/oauth2/revoke", {
          token: null,
          headers: { authorization: basic(api) },
          body: new URLSearchParams({ token }),
        });
        expect(revoked.status, revoked.text).toBe(200);
      });
      expect(statuses, operation.id).toContain(status);
      expect(status, operation.id).toBeLessThan(500);
      const { address, headers, body } = exampleRequest(operation);
      const next = await api.request(operation.method.toUpperCase(), address, {
        token,
        headers,
        body,
      });
      expect(next.status, `${operation.id}: ${next.text}`).toBe(401);
    }
  });
});

const basic = ({ client }: Pick<TestApi, "client">): string =>
  `Basic ${Buffer.from(`${client.client_id}:${client.client_secret}`).toString("base64")}`;

/** Sends half of the body, then `between`, then the rest. Resolves with the status. */
async function sendInHalves(
  { url }: Pick<TestApi, "url">,
  operation: Operation,
  token: string,
  between: () => Promise<void>,
): Promise<number> {
  const { address, headers, body } = exampleRequest(operation);
  const encoded = new Request(url, { method: "POST", body: body ?? "" });
  const bytes = Buffer.from(await encoded.arrayBuffer());
  const request = sendRequest(url + address, {
    method: operation.method.toUpperCase(),
    headers: {
      "content-type": encoded.headers.get("content-type") ?? "",
      ...headers,
      authorization: `Bearer ${token}`,
      "content-length": bytes.length,
      // The server says that it has read the headers.
      expect: "100-continue",
    },
    agent: false,
  });
  const status = statusOf(request);
  request.flushHeaders();
  await new Promise<void>((resolve) => request.once("continue", () => resolve()));
  const half = Math.floor(bytes.length / 2);
  await new Promise<void>((resolve) => request.write(bytes.subarray(0, half), () => resolve()));
  await between();
  request.end(bytes.subarray(half));
  return status;
}

const statusOf = (request: ClientRequest): Promise<number> =>
  new Promise((resolve, reject) => {
    request.once("error", reject);
    request.once("response", (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
    });
  });
