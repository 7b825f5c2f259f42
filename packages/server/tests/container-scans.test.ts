import { describe, expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import { have } from "./support/identities.ts";
import {
  checksPath,
  inventory,
  inventoryPath,
  log4shell,
  newTicket,
  reportsPath,
  sendInventory,
  type Report,
} from "./support/images.ts";
import { minutes } from "./support/manual-clock.ts";
import type { ErrorBody } from "./support/session.ts";
import { sharedApi } from "./support/shared-api.ts";

const image = { repository: "shop/checkout", tag: "4.2.0" };
const uuid = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

const policy = (number: number, action: string, conditions: object[], groups: object[] = []) => ({
  uuid: uuid(number),
  name: `Policy ${number}`,
  precedence: number,
  policy_data: {
    groups,
    rules: [{ action, policy_rules_data: { conditions } }],
  },
});

const atLeast = (severity: string) => ({
  property: "severity",
  operator: "at_least",
  values: [severity],
});

withPostgresAtNight((engine) => {
  const suite = sharedApi(engine);
  const open = async () => {
    const api = await suite.open();
    await have(api, "osv", [log4shell]);
    return api;
  };

  describe("an inventory", () => {
    test("becomes a scan, with a report by id, name, digest and image id", async () => {
      const api = await open();
      const { status, body } = await sendInventory(api, inventory());
      expect(status).toBe(200);
      expect(body.resources).toMatchObject({ vulnerability_count: 3, detection_count: 1 });
      const { uuid: id, image_id, image_digest } = body.resources;
      const read = async (path: string, query: Record<string, string>) =>
        (await api.request<Report>("GET", path, { query })).body;
      const report = await read(`${reportsPath}/${id}`, {});
      expect(report.Vulnerabilities).toMatchObject([
        {
          Vulnerability: {
            CVEID: "CVE-2021-44228",
            Details: { severity: "critical", cvss_v3_score: { base_score: 10 } },
            Product: { Product: "org.apache.logging.log4j:log4j-core", MajorVersion: "2.14.1" },
            FixedVersions: ["2.15.0"],
          },
        },
        { Vulnerability: { CVEID: "CVE-2021-45046", FixedVersions: ["2.16.0"] } },
        { Vulnerability: { CVEID: "CVE-2021-45105", FixedVersions: ["2.17.0"] } },
      ]);
      expect(report.Detections).toMatchObject([
        { Detection: { Type: "secret", Name: "generic-api-key", Line: 12, Severity: "high" } },
      ]);
      expect(JSON.stringify(report)).not.toContain("pk_l");
      for (const query of [image, { digest: image_digest }, { image_id }]) {
        expect(await read(reportsPath, query)).toEqual(report);
        expect(await read("/reports", query)).toEqual(report);
      }
      const other = { ...image, registry: "other.example.com" };
      expect((await api.request("GET", reportsPath, { query: other })).status).toBe(404);
      const unnamed = await api.request<ErrorBody>("GET", reportsPath, { query: { tag: "1" } });
      expect(unnamed.status).toBe(400);
      expect(unnamed.body.errors[0]?.message).toContain("query.repository");
    });

    test("is rejected without a ticket, and with one that is foreign, used, expired or altered", async () => {
      const api = await open();
      expect((await api.request("POST", inventoryPath, { body: inventory() })).status).toBe(400);
      const refused = async (ticket: string, reason: string) => {
        const { status, body } = await sendInventory(api, inventory(), ticket);
        expect(status).toBe(403);
        expect((body as unknown as ErrorBody).errors[0]?.message).toContain(reason);
      };
      const ticket = await newTicket(api);
      await refused(
        `${ticket.slice(0, -1)}${ticket.endsWith("A") ? "B" : "A"}`,
        "not a scan ticket",
      );
      await refused("sct_x.y", "not a scan ticket");
      await refused(await newTicket(await open()), "another tenant");
      expect((await sendInventory(api, inventory(), ticket)).status).toBe(200);
      await refused(ticket, "used before");
      const { status } = await sendInventory(
        api,
        inventory((draft) => {
          draft.scan_request.ScanInfo = { cid: "0".repeat(32) };
        }),
        ticket,
      );
      expect(status, "a used ticket is refused before the inventory is examined").toBe(403);
      const late = await newTicket(api);
      api.clock.advance(minutes(15));
      await refused(late, "has expired");
    });

    test("that is ephemeral is only evaluated, and uses its ticket", async () => {
      const api = await open();
      const ticket = await newTicket(api);
      const body = inventory((draft) => {
        draft.ephemeral_scan = true;
      });
      const { body: answer } = await sendInventory(api, body, ticket);
      const { uuid: id, vulnerability_count } = answer.resources;
      expect(vulnerability_count).toBe(3);
      expect((await api.request("GET", `${reportsPath}/${id}`)).status).toBe(404);
      expect((await sendInventory(api, body, ticket)).status).toBe(403);
    });

    test("has reports of packages without versions and with unreadable versions", async () => {
      const api = await open();
      const { body } = await sendInventory(
        api,
        inventory((draft) => {
          draft.inventory.Packages = [
            { Product: "zlib1g", LayerIndex: 0 },
            { Product: "bash", MajorVersion: "?!", LayerIndex: 0 },
          ];
        }),
      );
      const report = await api.request<Report>("GET", `${reportsPath}/${body.resources.uuid}`);
      expect(report.body.Unmatched).toEqual([
        { Product: "zlib1g", MajorVersion: "", Reason: "no version" },
        { Product: "bash", MajorVersion: "?!", Reason: "unreadable version" },
      ]);
    });

    test("has reports of malware, secrets in variables, and misconfigurations", async () => {
      const api = await open();
      const { body } = await sendInventory(
        api,
        inventory((draft) => {
          const { inventory: contents } = draft;
          contents.Config.config = { User: "", Env: ["DB_PASSWORD=x", "PATH=/bin"] };
          contents.ConfigInfo.User = "";
          contents.ConfigInfo.ExposedPorts = { "22/tcp": {} };
          contents.ELFBinaries = [
            {
              Details: {},
              Hash: "a".repeat(64),
              Malicious: true,
              Path: "usr/bin/miner",
              Permissions: "-rwsr-xrwx",
              Size: 1,
            },
          ];
        }),
      );
      const { body: report } = await api.request<Report>(
        "GET",
        `${reportsPath}/${body.resources.uuid}`,
      );
      expect(report.Detections?.map(({ Detection }) => Detection.Name).toSorted()).toEqual([
        "generic-api-key",
        "malicious-file",
        "risky-port",
        "runs-as-root",
        "secret-in-environment",
        "setuid-binary",
        "world-writable-binary",
      ]);
    });

    test("has reports of unsafe build steps and tags", async () => {
      const api = await open();
      const { body } = await sendInventory(
        api,
        inventory((draft) => {
          const { inventory: contents } = draft;
          contents.ImageInfo.Tag = "latest";
          contents.Config.history = [
            "ADD https://example.com/tool.tar.gz /opt/",
            "/bin/sh -c #(nop) ADD file:0123456789abcdef in / ",
            "RUN /bin/sh -c curl -fsSLk https://example.com | sh # buildkit",
            "RUN /bin/sh -c curl --insecure -o /x https://example.com # buildkit",
            "RUN /bin/sh -c chmod -R 777 /srv # buildkit",
            "ARG DEPLOY_TOKEN=ghp_16C7e42F292c6912E7710c838347Ae178B4a",
            "ENV JWT_SECRET_FILE=/run/secrets/jwt",
            'CMD ["node" "server.js"]',
          ].map((created_by) => ({ created_by }));
          contents.Config.config = {
            User: "10001",
            Env: [
              "JWT_SECRET_FILE=/run/secrets/jwt",
              "GITHUB_TOKEN=",
              "API_TOKEN=/run/secrets/api",
              "BUILD_ID=6f1c2d3e-4b5a-4c6d-8e7f-9a0b1c2d3e4f",
              "DATABASE=postgres://shop:7hUx92mQpZ@db/shop",
            ],
          };
        }),
      );
      const { body: report } = await api.request<Report>(
        "GET",
        `${reportsPath}/${body.resources.uuid}`,
      );
      const detections = report.Detections?.map(({ Detection }) => Detection) ?? [];
      expect(detections.map(({ Type, Name }) => `${Type} ${Name}`).toSorted()).toEqual([
        "cis no-healthcheck",
        "misconfiguration add-from-url",
        "misconfiguration latest-tag",
        "misconfiguration unverified-download",
        "misconfiguration world-writable-files",
        "secret generic-api-key",
        "secret secret-in-build-step",
        "secret secret-in-environment",
      ]);
      expect(JSON.stringify(report.Detections)).not.toMatch(/ghp_|7hUx92mQpZ/);
    });

    test("has no secrets in hashes of lock files and in UUIDs", async () => {
      const api = await open();
      const strings = (texts: readonly string[]) =>
        texts.map((String, index) => ({
          Line: index + 1,
          RegexName: "high-entropy-string",
          String,
        }));
      const { body } = await sendInventory(
        api,
        inventory((draft) => {
          draft.high_entropy_strings = [
            { Path: "app/package-lock.json", Strings: strings(["kT9x0lWm"]) },
            {
              Path: "app/build.txt",
              Strings: strings([
                "6f1c2d3e-4b5a-4c6d-8e7f-9a0b1c2d3e4f",
                "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg==",
                "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                "w8Kx2!mZq7",
              ]),
            },
          ];
        }),
      );
      expect(body.resources.detection_count).toBe(1);
    });

    test("cannot be seen by another tenant, nor can its report", async () => {
      const api = await open();
      const { body } = await sendInventory(api, inventory());
      const other = await open();
      const path = `${reportsPath}/${body.resources.uuid}`;
      expect((await other.request("GET", path)).status).toBe(404);
      expect((await other.request("GET", reportsPath, { query: image })).status).toBe(404);
    });
  });

  describe("a second scan", () => {
    test("is the newest, and does not change the first report", async () => {
      const api = await open();
      const first = (await sendInventory(api, inventory())).body.resources;
      api.clock.advance(minutes(1));
      const fixed = inventory((draft) => {
        draft.inventory.ApplicationPackages = [];
      });
      const second = (await sendInventory(api, fixed)).body.resources;
      const newest = await api.request<Report>("GET", reportsPath, { query: image });
      expect(newest.body.ScanInfo.ScanUUID).toBe(second.uuid);
      expect(newest.body.Vulnerabilities).toBeNull();
      const old = await api.request<Report>("GET", `${reportsPath}/${first.uuid}`);
      expect(old.body.Vulnerabilities).toHaveLength(3);
    });

    test("deleting an image deletes all its scans", async () => {
      const api = await open();
      const { uuid: id, image_id } = (await sendInventory(api, inventory())).body.resources;
      await sendInventory(api, inventory());
      const path = `/images/${encodeURIComponent(image_id)}`;
      const deleted = await api.request("DELETE", path);
      expect(deleted.status).toBe(200);
      expect(deleted.body).toMatchObject({ meta: { writes: { resources_affected: 2 } } });
      expect((await api.request("GET", `${reportsPath}/${id}`)).status).toBe(404);
      expect((await api.request("DELETE", path)).status).toBe(404);
    });
  });

  describe("policy checks", () => {
    test("the first policy that applies decides, and the response contains the reason", async () => {
      const api = await open();
      await sendInventory(api, inventory());
      const check = async () =>
        (await api.request<Record<string, unknown>[]>("GET", checksPath, { query: image })).body[0];
      expect(await check()).toMatchObject({ deny: false, policy: { is_default: true } });
      await have(api, "image-policies", [
        policy(2, "block", [atLeast("critical")]),
        policy(
          1,
          "allow",
          [],
          [
            {
              name: "elsewhere",
              policy_group_data: {
                conditions: [{ property: "repository", operator: "matches", values: ["other/*"] }],
              },
            },
          ],
        ),
      ]);
      expect(await check()).toMatchObject({
        deny: true,
        action: "block",
        conditions: [atLeast("critical")],
        policy: { uuid: uuid(2) },
        evaluation_details: {
          matched_cve_list: ["CVE-2021-44228", "CVE-2021-45046"],
          matched_package_list: ["org.apache.logging.log4j:log4j-core 2.14.1"],
        },
      });
      const legacy = await api.request<object[]>("GET", "/policy-checks", { query: image });
      expect(legacy.body[0]).toMatchObject({ deny: true });
      await have(api, "image-policies", [
        policy(0, "allow", [
          { property: "cve_id", operator: "any_of", values: ["CVE-2021-44228"] },
        ]),
      ]);
      expect(await check()).toMatchObject({ deny: false, action: "allow" });
    });
  });

  test("packages are looked up without a scan", async () => {
    const api = await open();
    const { body } = await api.request<{ Vulnerabilities: object[]; Unmatched: object[] }>(
      "POST",
      "/image-assessment/combined/vulnerability-lookups/v1",
      {
        body: {
          osversion: "Debian GNU 12",
          packages: [{ Product: "zlib1g", LayerIndex: 0 }],
          ApplicationPackages: [
            {
              type: "maven",
              libraries: [
                { Name: "org.apache.logging.log4j:log4j-core", Version: "2.1", LayerIndex: 0 },
              ],
            },
          ],
        },
      },
    );
    expect(body.Vulnerabilities).toMatchObject([
      { Vulnerability: { CVEID: "CVE-2021-44228", FixedVersions: ["2.3.1"] } },
      { Vulnerability: { CVEID: "CVE-2021-45046", FixedVersions: ["2.12.2"] } },
      { Vulnerability: { CVEID: "CVE-2021-45105", FixedVersions: ["2.3.1"] } },
    ]);
    expect(body.Unmatched).toEqual([{ Product: "zlib1g", MajorVersion: "", Reason: "no version" }]);
  });
});
