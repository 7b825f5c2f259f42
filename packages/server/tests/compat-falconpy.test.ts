import { describe, expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import { storedKiosk, type Envelope } from "./support/existing-clients.ts";
import { inventory, inventoryPath, sendInventory } from "./support/images.ts";
import { registriesPath } from "./support/registries.ts";
import { sharedApi } from "./support/shared-api.ts";

/** Requests of FalconPy that differ from the document. */
withPostgresAtNight((engine) => {
  describe("requests of FalconPy", () => {
    const suite = sharedApi(engine, { catalogue: true, config: { compat: true } });

    test("the headers of an image scan are sent with a content type, which the client needs", async () => {
      const api = await suite.open();
      const answer = await api.request("HEAD", inventoryPath);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(answer.headers.get("x-scan-ticket")).toMatch(/^sct_/);
    });

    test("an image is found and deleted by its hash, with and without the algorithm", async () => {
      const api = await suite.open();
      const first = (await sendInventory(api, inventory())).body.resources;
      const { image_id } = Array.isArray(first) ? first[0] : first;
      const hash = String(image_id).replace("sha256:", "");
      for (const spelling of [hash, `sha256:${hash}`]) {
        const report = await api.request("GET", "/reports", { query: { image_id: spelling } });
        expect(report.status, report.text).toBe(200);
      }
      const deleted = await api.request("DELETE", `/images/${hash}`);
      expect(deleted.status, deleted.text).toBe(200);
      expect((await api.request("DELETE", `/images/sha256:${hash}`)).status).toBe(404);
    });

    test("a registry is changed by the id in the body", async () => {
      const api = await suite.open();
      const created = await api.request<{ readonly resources: { readonly id: string } }>(
        "POST",
        registriesPath,
        {
          body: {
            type: "dockerhub",
            url: "https://registry-1.docker.io/",
            user_defined_alias: "hub",
            credential: { details: { username: "scanner", password: "p" } },
          },
        },
      );
      const { id } = created.body.resources;
      const changed = await api.request("PATCH", registriesPath, {
        body: { id, user_defined_alias: "renamed" },
      });
      expect(changed.body, changed.text).toMatchObject({
        resources: { id, user_defined_alias: "renamed" },
      });
      const both = await api.request("PATCH", registriesPath, { query: { id }, body: { id } });
      expect(both.status).toBe(400);
    });

    test("a single id is sent as id although the document expects ids", async () => {
      const api = await suite.open();
      const path = "/data-protection/entities/enterprise-accounts/v1";
      const created = await api.request<Envelope>("POST", path, {
        body: { name: "a", domains: ["a.example"], application_group_id: "google" },
      });
      const id = String(created.body.resources[0]?.["id"]);
      const deleted = await api.request("DELETE", path, { query: { id } });
      expect(deleted.status, deleted.text).toBe(200);
      const read = await api.request<Envelope>("GET", path, { query: { id } });
      expect(read.status).toBe(200);
      expect(read.body.resources).toMatchObject([{ id, deleted: true }]);
    });

    test("empty texts count as absent if the document does not allow them", async () => {
      const api = await suite.open();
      const processes = await api.request("GET", "/iocs/queries/indicators/processes/v1", {
        query: { type: "domain", value: "a.example", device_id: "a".repeat(32), offset: "" },
      });
      expect(processes.status, processes.text).toBe(200);
      const required = await api.request("GET", "/iocs/queries/indicators/processes/v1", {
        query: { type: "domain", value: "", device_id: "a".repeat(32) },
      });
      expect(required.status).toBe(400);
      const counted = await api.request("POST", "/casemgmt/aggregates/notification-groups/v1", {
        body: [{ field: "name", filter: "", name: "n", size: 2, sort: "", type: "terms" }],
      });
      expect(counted.status, counted.text).toBe(200);
      const opened = await api.request<Envelope>("PUT", "/cases/entities/cases/v2", {
        body: { name: "c", severity: 10, assigned_to_user_uuid: "" },
      });
      expect(opened.status, opened.text).toBe(201);
      const changed = await api.request<Envelope>("PATCH", "/cases/entities/cases/v2", {
        body: { id: opened.body.resources[0]?.["id"], fields: { description: "", status: "" } },
      });
      expect(changed.body.resources, changed.text).toMatchObject([
        { status: "new", description: "" },
      ]);
    });

    test("groups of tenants and users are created with members that only the server sets", async () => {
      const api = await suite.open();
      for (const kind of ["cid", "user"]) {
        const path = `/mssp/entities/${kind}-groups/v1`;
        const id = `${kind}_group_id`;
        const created = await api.request<Envelope>("POST", path, {
          body: { resources: [{ cid: api.tenant.cid, [id]: "", name: kind, description: null }] },
        });
        expect(created.body.resources, created.text).toMatchObject([{ name: kind }]);
        const group = { cid: "", [id]: created.body.resources[0]?.[id], name: `${kind} 2` };
        const changed = await api.request<Envelope>("PATCH", path, {
          body: { resources: [group] },
        });
        expect(changed.body.resources, changed.text).toMatchObject([{ name: `${kind} 2` }]);
      }
    });

    test("texts of a form are sent in the query, with the name of the file", async () => {
      const api = await suite.open();
      const templates = "/casemgmt/entities/templates/v1";
      const created = await api.request<Envelope>("POST", templates, {
        body: { name: "Phishing" },
      });
      const ids = String(created.body.resources[0]?.["id"]);
      const exported = await api.request<{ readonly link: string }>(
        "GET",
        templates.replace("/v1", "/export/v1"),
        { query: { ids } },
      );
      const archive = await (await fetch(exported.body.link)).blob();
      await api.request("DELETE", templates, { query: { ids } });
      const imported = async (query: string) => {
        const form = new FormData();
        form.set("file", archive, "templates.zip");
        const path = templates.replace("/v1", "/import/v1");
        const answer = await fetch(`${api.url}${path}?file=%2Ftmp%2Ftemplates.zip${query}`, {
          method: "POST",
          headers: { authorization: `Bearer ${api.token}` },
          body: form,
        });
        expect(answer.status, await answer.clone().text()).toBeLessThan(300);
        const listed = await api.request<Envelope>("GET", templates.replace("entities", "queries"));
        return listed.body.resources.length;
      };
      expect(await imported("&dry_run=true")).toBe(0);
      expect(await imported("")).toBe(1);
    });

    test("members of a host group are read with its id, and by a filter in parentheses", async () => {
      const api = await suite.open();
      const device_id = await storedKiosk(api);
      const created = await api.request<Envelope>("POST", "/devices/entities/host-groups/v1", {
        body: { resources: [{ name: "Kiosks", group_type: "static" }] },
      });
      const id = String(created.body.resources[0]?.["id"]);
      const added = await api.request("POST", "/devices/entities/host-group-actions/v1", {
        query: { action_name: "add-hosts" },
        body: {
          ids: [id],
          action_parameters: [{ name: "filter", value: `(device_id:['${device_id}'])` }],
        },
      });
      expect(added.status, added.text).toBe(200);
      const members = await api.request<Envelope>(
        "GET",
        "/devices/combined/host-group-members/v1",
        {
          query: { id, limit: 2 },
        },
      );
      expect(members.body.resources, members.text).toMatchObject([{ device_id }]);
      expect(members.body.meta.pagination).toMatchObject({ total: 1 });
    });
  });
});
