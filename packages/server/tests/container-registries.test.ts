import { describe, expect, test } from "vitest";
import { signingKey } from "../src/access/signing-keys.ts";
import { registries } from "../src/domain/container/registries/registries.ts";
import { readSignedToken } from "../src/domain/container/signed-token.ts";
import {
  registryTokenForm,
  type RegistryTokenContent,
} from "../src/domain/container/registry-token.ts";
import { where } from "@security-platform/fql";
import type { TestApi } from "./support/api.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { administer } from "./support/raw-sql.ts";
import {
  createRegistry,
  login,
  ociRegistry,
  readRegistry,
  registriesPath,
  registryServer,
  updateRegistry,
  wholeRegistry,
  type Problems,
} from "./support/registries.ts";
import { sharedApi } from "./support/shared-api.ts";

const list = "/container-security/queries/registries/v1";
const uuid = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/,
);
const account = {
  type: "service_account",
  private_key_id: "7c41d9",
  private_key: "-----BEGIN PRIVATE KEY-----secret",
  client_email: "scanner@shop.example.com",
  project_id: "shop",
};
const cert = Buffer.from("-----BEGIN CERTIFICATE-----").toString("base64");

/** Credential details by type. */
const details: Readonly<Record<string, object>> = {
  acr: login,
  artifactory: login,
  docker: login,
  dockerhub: login,
  ecr: { aws_iam_role: "arn:aws:iam::1:role/r", aws_external_id: "x-1" },
  gar: { project_id: "shop", scope_name: "c", service_account_json: account },
  gcr: { project_id: "shop", service_account_json: account },
  github: { ...login, domain_url: "https://github.example", credential_type: "PAT" },
  gitlab: { ...login, domain_url: "https://gitlab.example", credential_type: "PAT" },
  harbor: login,
  icr: login,
  mirantis: login,
  nexus: login,
  openshift: login,
  oracle: { ...login, scope_name: "s", compartment_ids: ["c"] },
  "quay.io": login,
};

withPostgresAtNight((engine) => {
  const shared = sharedApi(engine, registryServer);
  const open = () => shared.open("registries");

  const refused = async (api: TestApi, body: object, status = 400): Promise<readonly string[]> => {
    const answer = await api.request<Problems>("POST", registriesPath, { body });
    expect(answer.status, answer.text).toBe(status);
    expect(answer.text).not.toContain(login.password);
    return answer.body.errors.map(({ message }) => message);
  };

  describe("creation", () => {
    test("a registry is pending, is returned without its secret, and is encrypted in the database", async () => {
      const api = await open();
      const created = await createRegistry(api, {
        type: "harbor",
        url: "https://Registry.example.com/",
        user_defined_alias: "Shop images",
        credential: { details: login },
      });
      const at = api.clock.now().toISOString();
      expect(created).toEqual({
        id: uuid,
        type: "harbor",
        url: "https://Registry.example.com/",
        url_uniqueness_alias: "registry.example.com",
        user_defined_alias: "Shop images",
        credential: {
          id: uuid,
          details: { username: "scanner" },
          expired: false,
          created_at: at,
          updated_at: at,
        },
        state: "pending",
        state_changed_at: at,
        refresh_interval: 86_400,
        last_refreshed_at: null,
        next_refresh_at: new Date(Date.parse(at) + 86_400_000).toISOString(),
        created_at: at,
        updated_at: at,
      });
      expect(await readRegistry(api, created.id)).toEqual(created);
      expect((await wholeRegistry(api, created.id))?.secrets).toEqual({ password: login.password });
      const stored = JSON.stringify(
        await administer(
          shared.databaseUrl(),
          `select doc, hidden from container_registries where id = '${created.id}'`,
        ),
      );
      expect(stored).toContain("sealed:1:");
      expect(stored).not.toContain(login.password);
    });

    test.each(Object.keys(details))("%s accepts only its own members", async (type) => {
      const api = await open();
      const body = (given: object) => ({
        type,
        url: `https://${type}.example.com`,
        credential: { details: given },
      });
      const all = details[type] ?? {};
      const created = await createRegistry(api, body(all));
      expect(JSON.stringify(created)).not.toMatch(/hb_9s|PRIVATE KEY/);
      const optional = type === "oracle" ? ["scope_name", "compartment_ids"] : [];
      for (const name of Object.keys(all).filter((each) => !optional.includes(each))) {
        const rest = Object.fromEntries(Object.entries(all).filter(([key]) => key !== name));
        const messages = await refused(api, body(rest));
        expect(messages).toEqual([
          expect.stringMatching(
            new RegExp(
              `^body\\.credential\\.details\\.${name}: is missing; a credential of type ${type} has `,
            ),
          ),
        ]);
      }
      const foreign = type === "ecr" ? { username: "u" } : { aws_external_id: "x" };
      const [name] = Object.keys(foreign);
      expect(await refused(api, body({ ...all, ...foreign }))).toEqual([
        expect.stringMatching(
          `^body\\.credential\\.details\\.${name}: is not used; a credential of`,
        ),
      ]);
      const gov = (aws_gov_using_commercial_connection: boolean) => ({
        ...body({ ...all, aws_gov_using_commercial_connection }),
        url: `https://gov.${type}.example.com`,
      });
      expect(type === "ecr" ? [] : await refused(api, gov(true))).toHaveLength(
        type === "ecr" ? 0 : 1,
      );
      // False means the same as if it were absent.
      await createRegistry(api, gov(false));
      const without = await api.request<Problems>("POST", registriesPath, {
        body: { type, url: `https://none.${type}.example.com` },
      });
      expect(without.status).toBe(["docker", "dockerhub", "quay.io"].includes(type) ? 201 : 400);
      if (without.status === 400) {
        expect(without.body.errors[0]?.message).toMatch(
          /^body\.credential: is missing; a credential/,
        );
      }
    });

    test("dependencies between members are checked", async () => {
      const api = await open();
      const body = (type: string, given: object) => ({
        type,
        url: `https://${type}.rules.example.com`,
        credential: { details: given },
      });
      const certificate = { cert, auth_type: "cert", tenant_id: "t", client: "c" };
      expect((await createRegistry(api, body("acr", certificate))).credential?.details).toEqual({
        auth_type: "cert",
        tenant_id: "t",
        client: "c",
      });
      expect(await refused(api, body("acr", { ...certificate, username: "u" }))).toEqual([
        expect.stringContaining("details.username: cannot be combined with cert, auth_type"),
      ]);
      expect(await refused(api, body("acr", { ...certificate, cert: "bm8=" }))).toEqual([
        "body.credential.details.cert: expected a certificate with its key, PEM in base64",
      ]);
      expect(await refused(api, body("oracle", { ...login, scope_name: "s" }))).toEqual([
        expect.stringContaining("details.compartment_ids: is missing; a credential of type oracle"),
      ]);
      const github = { ...details["github"], domain_url: `https://me:${login.password}@g.example` };
      expect(await refused(api, body("github", github))).toEqual([
        "body.credential.details.domain_url: expected a URL without user name and password",
      ]);
      const aws = { ...details["ecr"], aws_gov_using_commercial_connection: true };
      const ecr = await createRegistry(api, body("ecr", aws));
      expect(ecr.credential?.details.aws_gov_using_commercial_connection).toBe(true);
      const gar = await createRegistry(api, body("gar", details["gar"] ?? {}));
      expect(gar.credential?.details).toEqual({
        project_id: "shop",
        scope_name: "c",
        client_email: account.client_email,
      });
    });

    test.each([
      ["no TLS", "http://203.1.113.5", "expected a URL with https"],
      ["another scheme", "ftp://registry.example.com", "expected a URL with https"],
      [
        "user name and password",
        `https://scanner:${login.password}@registry.example.com`,
        "expected a URL without user name and password",
      ],
      ["a loopback address", "https://[::1]/", "[::1] is a loopback address"],
      ["a private address", "https://10.1.2.3", "10.1.2.3 is a private address"],
      ["a metadata service", "https://169.254.169.254", "is a link-local address"],
      ["the same in decimal", "https://2852039166/", "169.254.169.254 is a link-local address"],
      ["a query", "https://registry.example.com/?x=1", "without query and fragment"],
    ])("a URL with %s is rejected", async (_, url, message) => {
      const api = await open();
      const body = { type: "harbor", url, credential: { details: login } };
      const messages = await refused(api, body);
      expect(messages).toHaveLength(1);
      expect(messages[0]).toMatch(/^body\.url: /);
      expect(messages[0]?.replaceAll("::1 ", "[::1] ")).toContain(message);
    });

    test("URL and uniqueness key are unique per tenant, in any spelling", async () => {
      const api = await open();
      const body = {
        type: "gcr",
        url: "https://gcr.example.com/a",
        credential: { details: details["gcr"] },
      };
      const first = await createRegistry(api, body);
      for (const url of ["https://GCR.example.com:443/a/", "HTTPS://gcr.example.com/a"]) {
        const answer = await api.request<Problems>("POST", registriesPath, {
          body: { ...body, url },
        });
        expect(answer.status).toBe(409);
        expect(answer.body.errors[0]?.message).toContain(
          `body.url: the registry ${first.id} has the same URL and uniqueness key`,
        );
      }
      const keyed = await createRegistry(api, { ...body, url_uniqueness_key: "shop-prod" });
      expect(keyed.url_uniqueness_alias).toBe("shop-prod");
      await createRegistry(api, { ...body, url: "https://gcr.example.com/A" });
      await createRegistry(await open(), body);
      const { status } = await api.request("DELETE", registriesPath, { query: { ids: first.id } });
      expect(status).toBe(200);
      await createRegistry(api, body);
    });

    test("no response contains a secret, even for an invalid request", async () => {
      const api = await open();
      const wrong: readonly unknown[] = [
        { details: { ...login, username: 7 } },
        { details: [login] },
        { details: login.password },
        [{ details: login }],
        login.password,
        { details: { username: "u", password: { [login.password]: login.password } } },
        { details: { project_id: "p", service_account_json: login.password } },
        {
          details: {
            project_id: "p",
            service_account_json: { ...account, private_key: [login.password] },
          },
        },
      ];
      for (const credential of wrong) {
        const answer = await api.request("POST", registriesPath, {
          body: { type: "harbor", url: "https://registry.example.com", credential },
        });
        expect(answer.status).toBe(400);
        expect(answer.text).not.toContain(login.password);
      }
    });
  });

  describe("reading and deletion", () => {
    test("lists ids, sorted and in pages; registries of other tenants are unknown", async () => {
      const api = await open();
      const created = [];
      for (const name of ["b", "a", "c"]) {
        api.clock.advance(1_000);
        created.push(
          (await createRegistry(api, { type: "docker", url: `https://${name}.example.com` })).id,
        );
      }
      const sorted = await api.request("GET", list, { query: { sort: "url|desc", limit: 2 } });
      expect(sorted.body).toEqual([created[2], created[0]]);
      expect(sorted.headers.get("x-total-count")).toBe("3");
      const rest = await api.request("GET", list, {
        query: { sort: "url.desc", limit: 2, offset: 2 },
      });
      expect(rest.body).toEqual([created[1]]);
      const other = await open();
      expect((await other.request("GET", list)).body).toEqual([]);
      const missing = await other.request<Problems>("GET", registriesPath, {
        query: { ids: created[0] ?? "" },
      });
      expect(missing.status).toBe(404);
      expect(missing.body.resources).toEqual([]);
    });

    test("all or none are deleted, including their secrets", async () => {
      const api = await open();
      const real = await ociRegistry({});
      const one = await createRegistry(api, { type: "docker", url: real.url });
      const missing = "00000000-0000-4000-8000-000000000000";
      const none = await api.request("DELETE", registriesPath, {
        query: { ids: [one.id, missing] },
      });
      expect(none.status).toBe(404);
      const deletion = await api.request("DELETE", registriesPath, {
        query: { ids: [one.id, one.id] },
      });
      expect(deletion.body).toEqual([one]);
      expect((await api.request("GET", registriesPath, { query: { ids: one.id } })).status).toBe(
        404,
      );
      await api.work();
      expect(real.requests).toEqual([]);
    });
  });

  test("a credential for the image registry is signed, for an hour and for this tenant", async () => {
    const api = await open();
    const get = () =>
      api.request<readonly { token: string }[]>(
        "GET",
        "/container-security/entities/image-registry-credentials/v1",
      );
    const [first, second] = [await get(), await get()];
    const token = first.body[0]?.token ?? "";
    expect(token).toMatch(/^irt_/);
    expect(second.body[0]?.token).not.toBe(token);
    const key = await signingKey(api.store, "links", api.clock.now());
    const seconds = Math.floor(api.clock.now().getTime() / 1_000);
    expect(readSignedToken<RegistryTokenContent>(registryTokenForm, token, key)).toEqual({
      id: uuid,
      cid: api.tenant.cid,
      client_id: api.client.client_id,
      iat: seconds,
      exp: seconds + 3_600,
    });
    const changed = `${token.slice(0, 10)}${token[10] === "A" ? "B" : "A"}${token.slice(11)}`;
    expect(readSignedToken(registryTokenForm, changed, key)).toBeNull();
    const ticket = { ...registryTokenForm, purpose: "image scan ticket" };
    expect(readSignedToken(ticket, token, key)).toBeNull();
  });

  test("the audit trail names the authors", async () => {
    const api = await open();
    const { id } = await createRegistry(api, { type: "docker", url: "https://trail.example.com" });
    await updateRegistry(api, id, { user_defined_alias: "T" });
    const { cid } = api.tenant;
    const entries = await api.store.directory.auditEntries({ cid, limit: 10 });
    expect(entries.map(({ operation, ids }) => [operation, ids])).toEqual([
      ["UpdateRegistryEntities", [id]],
      ["CreateRegistryEntities", [id]],
    ]);
    const records = api.store.records(registries, { cid });
    expect(await records.count(where.everything, api.clock.now())).toBe(1);
  });
});
