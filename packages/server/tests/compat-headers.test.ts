import { request } from "node:http";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { TestApi } from "./support/api.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { policiesPath } from "./support/existing-clients.ts";
import { sendTarget } from "./support/raw-request.ts";
import { sharedApi } from "./support/shared-api.ts";

const combined = policiesPath.replace("entities", "combined");

/** The names of the response's headers, as they were sent. */
const namesIn = (head: string): readonly string[] =>
  head
    .split("\r\n")
    .slice(1)
    .map((line) => line.slice(0, line.indexOf(":")));

/** A response with the bytes of its body. `fetch` would decompress them. */
const fetched = (api: TestApi, accepted: string | null, path = combined) =>
  new Promise<{ headers: NodeJS.Dict<string | string[]>; body: Buffer }>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${api.token}`,
      ...(accepted === null ? {} : { "accept-encoding": accepted }),
    };
    request(`${api.url}${path}`, { headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => resolve({ headers: response.headers, body: Buffer.concat(parts) }));
    })
      .on("error", reject)
      .end();
  });

withPostgresAtNight((engine) => {
  describe("headers for existing clients", () => {
    const suite = sharedApi(engine, {
      catalogue: true,
      config: { compat: true },
      limits: { requestsPerMinute: 6_000 },
    });

    test.each([
      ["api.us-2.example.com", "us-2"],
      ["API.EU-1.example.com:8443", "eu-1"],
      ["api.us-gov-2.example.com", "us-gov-2"],
      ["api.laggar.gcw.example.com", "us-gov-1"],
      ["api.example.com", "local"],
      ["api.us-9.example.com", "local"],
      ["us-2", "local"],
      ["127.0.0.1:8080", "local"],
    ])("the region for the host %s is %s", async (host, region) => {
      const api = await suite.open();
      const headers = { authorization: `Bearer ${api.token}`, host };
      const { status, head } = await sendTarget(api.url, combined, { headers });
      expect(status).toBe(200);
      expect(head).toContain(`X-Cs-Region: ${region}\r\n`);
    });

    test("names are in their usual capitals", async () => {
      const api = await suite.open();
      const headers = { authorization: `Bearer ${api.token}` };
      const { status, head } = await sendTarget(api.url, combined, { headers });
      expect(status).toBe(200);
      const names = namesIn(head);
      expect(names).toEqual(
        expect.arrayContaining([
          "Content-Type",
          "Content-Length",
          "X-Ratelimit-Limit",
          "X-Ratelimit-Remaining",
          "X-Cs-Region",
          "X-Cs-Traceid",
          "X-Trace-Id",
          "X-Total-Count",
        ]),
      );
      expect(names.filter((name) => /(^|-)[a-z]/.test(name))).toEqual([]);
      // The name of a cloud would redirect FalconPy to that cloud.
      expect(head).toContain("X-Cs-Region: local");
      const trace = /X-Trace-Id: (\S+)/.exec(head)?.[1];
      expect(head).toContain(`X-Cs-Traceid: ${trace}`);
    });

    test("names are in capitals in errors, outside of operations and for tokens", async () => {
      const api = await suite.open();
      for (const target of ["/nowhere", combined, "/healthz"]) {
        const { head } = await sendTarget(api.url, target);
        expect(namesIn(head)).toContain("Content-Type");
        expect(namesIn(head).filter((name) => /(^|-)[a-z]/.test(name))).toEqual([]);
      }
      const { head } = await sendTarget(api.url, "/oauth2/token", { method: "POST" });
      expect(namesIn(head)).toContain("X-Cs-Region");
    });

    test("a large body is compressed if the client accepts gzip", async () => {
      const api = await suite.open();
      const plain = await fetched(api, null);
      expect(plain.headers["content-encoding"]).toBeUndefined();
      expect(plain.headers["vary"]).toBe("Accept-Encoding");
      const zipped = await fetched(api, "gzip, deflate");
      expect(zipped.headers["content-encoding"]).toBe("gzip");
      expect(zipped.headers["content-length"]).toBe(String(zipped.body.length));
      expect(zipped.body.length).toBeLessThan(plain.body.length / 2);
      const resources = (body: Buffer) =>
        (JSON.parse(body.toString()) as { readonly resources: unknown }).resources;
      expect(resources(gunzipSync(zipped.body))).toEqual(resources(plain.body));
    });

    test("a small body, and one for a client that refuses gzip, are sent as they are", async () => {
      const api = await suite.open();
      const small = await fetched(api, "gzip", "/iocs/queries/platforms/v1");
      expect(small.headers["content-encoding"]).toBeUndefined();
      expect(small.headers["vary"]).toBeUndefined();
      const refused = await fetched(api, "gzip;q=0, identity");
      expect(refused.headers["content-encoding"]).toBeUndefined();
    });

    test("many compressed responses at once are all complete", async () => {
      const api = await suite.open();
      const answers = await Promise.all(Array.from({ length: 20 }, () => fetched(api, "gzip")));
      const totals = answers.map(({ headers, body }) => {
        const text = headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
        return (JSON.parse(text.toString()) as { readonly errors: unknown }).errors;
      });
      expect(totals).toEqual(answers.map(() => []));
      expect(answers.some(({ headers }) => headers["content-encoding"] === "gzip")).toBe(true);
    });
  });

  describe("headers without --compat", () => {
    const suite = sharedApi(engine, { catalogue: true });

    test("have their names in lower case, and bodies are not compressed", async () => {
      const api = await suite.open();
      const headers = { authorization: `Bearer ${api.token}`, "accept-encoding": "gzip" };
      const { head } = await sendTarget(api.url, combined, { headers });
      expect(namesIn(head)).toContain("content-type");
      expect(head).not.toMatch(/x-cs-|content-encoding/i);
    });
  });
});
