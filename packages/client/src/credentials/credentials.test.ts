import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { clientId, clientSecret, start } from "../../tests/support/scripted-client.ts";
import { createClient } from "../client.ts";
import { resolveCredentials } from "./credentials.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "secplat-profiles-"));
  file = join(folder, "profiles.json");
  for (const name of ["URL", "CLIENT_ID", "CLIENT_SECRET", "PROFILE"]) {
    vi.stubEnv(`SECPLAT_${name}`, undefined);
  }
  vi.stubEnv("SECPLAT_PROFILES", file);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const profile = { url: "https://p.test", client_id: "p-id", client_secret: "p-secret" };
const write = (profiles: unknown): void => writeFileSync(file, JSON.stringify(profiles));

function setEnvironment(): void {
  vi.stubEnv("SECPLAT_URL", "https://e.test");
  vi.stubEnv("SECPLAT_CLIENT_ID", "e-id");
  vi.stubEnv("SECPLAT_CLIENT_SECRET", "e-secret");
}

describe("credentials", () => {
  test("come from the options first, then the environment, then a profile", () => {
    write({ default: profile, other: { ...profile, client_id: "other", member_cid: "child" } });
    expect(resolveCredentials({}).clientId).toBe("p-id");
    expect(resolveCredentials({ profile: "other" })).toMatchObject({
      baseUrl: "https://p.test",
      clientId: "other",
      memberCid: "child",
    });
    setEnvironment();
    expect(resolveCredentials({})).toEqual({
      baseUrl: "https://e.test",
      clientId: "e-id",
      clientSecret: "e-secret",
      memberCid: undefined,
    });
    // A profile of the options comes before the environment, and one of the environment after its credentials.
    expect(resolveCredentials({ profile: "other" })).toMatchObject({
      baseUrl: "https://p.test",
      clientId: "other",
      memberCid: "child",
    });
    vi.stubEnv("SECPLAT_PROFILE", "other");
    expect(resolveCredentials({}).clientId).toBe("e-id");
    const given = { baseUrl: "https://o.test", clientId: "o-id", clientSecret: "o-secret" };
    expect(resolveCredentials(given)).toMatchObject(given);
  });

  test("come from the current profile, unless another one is chosen", () => {
    write({ $current: "other", default: profile, other: { ...profile, client_id: "other" } });
    expect(resolveCredentials({}).clientId).toBe("other");
    expect(resolveCredentials({ profile: "default" }).clientId).toBe("p-id");
    expect(() => resolveCredentials({ profile: "$current" })).toThrow("the profile $current");
    write({ $current: 5, default: profile });
    expect(() => resolveCredentials({})).toThrow(
      `${file}: $current must be the name of a profile, or be absent`,
    );
  });

  test("are missing: the error names the three places", () => {
    expect(() => createClient()).toThrow(
      "there are no credentials; looked for clientId and clientSecret in the options, for SECPLAT_URL, " +
        "SECPLAT_CLIENT_ID and SECPLAT_CLIENT_SECRET in the environment, and for the profile default in " +
        file,
    );
    setEnvironment();
    expect(() => createClient({ profile: "none" })).toThrow("the profile none");
    vi.stubEnv("SECPLAT_URL", undefined);
    expect(() => createClient()).toThrow("there is no URL of the API");
  });

  test("in an invalid file are reported without their content", () => {
    writeFileSync(file, '{"default": secret');
    expect(() => createClient()).toThrow(`${file} is not JSON`);
    write({ default: { ...profile, client_secret: 5 } });
    expect(() => createClient()).toThrow(
      "profile default: client_secret must be a non-empty string",
    );
    write([]);
    expect(() => createClient()).toThrow(`${file} must be an object with a profile for each name`);
    writeFileSync(file, '{\n  "default": {"client_secret": "s3cret" oops }\n}');
    expect(() => createClient()).toThrow(`${file} is not JSON (line 2 column 41)`);
    write({ default: { ...profile, ca_file: "" } });
    expect(() => createClient()).toThrow(
      `${file}: profile default: ca_file must be a non-empty string, or be absent`,
    );
    write({ default: { ...profile, member_cid: 5 } });
    expect(() => createClient()).toThrow(
      `${file}: profile default: member_cid must be a non-empty string, or be absent`,
    );
  });

  test("are sent only to allowed hosts", () => {
    const options = { baseUrl: "https://api.test", clientId, clientSecret };
    expect(() => createClient({ ...options, allowedHosts: ["other.test"] })).toThrow(
      "baseUrl: api.test is not one of allowedHosts",
    );
    expect(createClient({ ...options, allowedHosts: ["api.test"] })).toBeDefined();
  });
});

describe("a client for a child tenant", () => {
  test("has its own token, one for each tenant", async () => {
    const { client, server } = start();
    const tenants = Array.from({ length: 50 }, (_, at) => `tenant-${at}`);
    for (let round = 0; round < 2; round += 1) {
      await Promise.all(tenants.map((cid) => client.forTenant(cid).ioc.listPlatforms()));
    }
    expect(server.tokenRequests).toHaveLength(50);
    expect(new Set(server.tokens).size).toBe(50);
    const [first] = server.tokenRequests;
    expect(new URLSearchParams(first?.body).get("member_cid")).toBe("tenant-0");
  });

  test("is closed with the client that made it", async () => {
    const { client, server } = start();
    const tenant = client.forTenant("tenant");
    {
      await using used = client;
      await used.forTenant("tenant").ioc.listPlatforms();
      server.answer = () => ({ body: { meta: {}, errors: [] } });
    }
    expect(server.calls.at(-1)?.body).toBe("token=token-1");
    await expect(tenant.ioc.listPlatforms()).rejects.toThrow("the client is closed");
    await expect(client.forTenant("new").ioc.listPlatforms()).rejects.toThrow("is closed");
  });

  test("is closed with the client that made it, also if that acts for a tenant itself", async () => {
    const { client } = start({ memberCid: "parent" });
    const tenant = client.forTenant("tenant");
    await client.close();
    await expect(tenant.ioc.listPlatforms()).rejects.toThrow("the client is closed");
  });

  test("does not close the clients for other tenants", async () => {
    const { client } = start();
    const [first, second] = [client.forTenant("first"), client.forTenant("second")];
    await first.close();
    expect((await second.ioc.listPlatforms()).response.status).toBe(200);
    expect((await client.forTenant("first").ioc.listPlatforms()).response.status).toBe(200);
  });

  test.each([[undefined], [""], [null]])(
    "is not made for %j: it would act for the parent",
    (cid) => {
      const { client } = start();
      expect(() => client.forTenant(cid as string)).toThrow("memberCid must be a non-empty string");
    },
  );
});
