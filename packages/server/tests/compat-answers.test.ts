import { describe, expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import { fromGo, indicatorsPath, type Envelope } from "./support/existing-clients.ts";
import { sharedApi } from "./support/shared-api.ts";

/** Easily missed parts of responses that existing clients read. */
withPostgresAtNight((engine) => {
  describe("responses to existing clients", () => {
    const suite = sharedApi(engine, { catalogue: true, config: { compat: true } });

    test("errors that a client does not know have a message in plain JSON", async () => {
      const api = await suite.open();
      const create = () =>
        api.request<Envelope>("POST", indicatorsPath, {
          body: { indicators: [fromGo("twice.example")] },
        });
      expect((await create()).status).toBe(201);
      const again = await create();
      expect(again.status).toBe(409);
      expect(again.headers.get("content-type")).toContain("application/json");
      expect(again.body.errors).toMatchObject([
        { code: 409, message: expect.stringContaining("twice.example") },
      ]);
    });

    test("roles that are granted by the deprecated operation: a list of their ids", async () => {
      const api = await suite.open();
      const user = await api.request<Envelope>("POST", "/users/entities/users/v1", {
        body: { uid: `grant-${api.tenant.cid}@example.com`, firstName: null, lastName: null },
      });
      const user_uuid = String(user.body.resources[0]?.["uuid"]);
      const granted = await api.request<Envelope>("POST", "/user-roles/entities/user-roles/v1", {
        query: { user_uuid },
        body: { roleIds: ["help_desk"] },
      });
      expect(granted.status, granted.text).toBeLessThan(300);
      expect(granted.body.resources).toEqual(["help_desk"]);
      const inEnvelope = await api.request<Envelope>("POST", "/user-roles/entities/user-roles/v1", {
        query: { user_uuid },
        body: { roleIds: ["help_desk"] },
        headers: { accept: "application/vnd.security-platform.envelope+json" },
      });
      expect(inEnvelope.body.resources).toEqual({ user_uuid, role_ids: ["help_desk"] });
    });

    test("deleted case templates: an empty text, as the client's model expects", async () => {
      const api = await suite.open();
      const path = "/casemgmt/entities/templates/v1";
      const removed = async (headers: Record<string, string>) => {
        const created = await api.request<Envelope>("POST", path, { body: { name: "Phishing" } });
        const ids = String(created.body.resources[0]?.["id"]);
        const answer = await api.request<Envelope>("DELETE", path, { query: { ids }, headers });
        expect(answer.status, answer.text).toBe(200);
        return { ids, answer };
      };
      const plain = await removed({});
      expect(plain.answer.headers.get("content-type")).toBe("application/json");
      expect(plain.answer.body).toBe("");
      const other = await removed({ accept: "application/vnd.security-platform.envelope+json" });
      expect(other.answer.body.resources).toEqual([other.ids]);
    });

    test("source and description of an indicator are cleared by empty texts", async () => {
      const api = await suite.open();
      const created = await api.request<Envelope>("POST", indicatorsPath, {
        body: {
          indicators: [fromGo("cleared.example", { source: "feed", description: "from a feed" })],
        },
      });
      expect(created.body.resources, created.text).toMatchObject([{ source: "feed" }]);
      const id = String(created.body.resources[0]?.["id"]);
      const changed = await api.request<Envelope>("PATCH", indicatorsPath, {
        body: { indicators: [{ id, source: "", description: "" }] },
      });
      const [record = {}] = changed.body.resources;
      expect(changed.status, changed.text).toBe(200);
      expect([record["source"] ?? "", record["description"] ?? ""]).toEqual(["", ""]);
    });

    test("exclusions are matched and proposed without the lines of the grandparent", async () => {
      const api = await suite.open();
      const lines = {
        aid: "a".repeat(32),
        image_file_name: "\\Device\\x.exe",
        command_line: "x.exe -a",
        parent_image_file_name: "\\Device\\y.exe",
        parent_command_line: "y.exe",
      };
      const created = await api.request<Envelope>(
        "POST",
        "/exclusions/entities/ss-ioa-exclusions/v2",
        {
          body: {
            exclusions: [
              { name: "m", pattern_id: "5702", ifn_regex: ".*\\\\x\\.exe", cl_regex: ".*-a" },
            ],
          },
        },
      );
      const matched = await api.request<Envelope>(
        "POST",
        "/exclusions/entities/ss-ioa-matched-rules/v2",
        { body: { ...lines, pattern_ids: ["5702"] } },
      );
      expect(matched.status, matched.text).toBe(200);
      expect(matched.body.resources).toMatchObject([{ id: created.body.resources[0]?.["id"] }]);
      const proposed = await api.request("POST", "/exclusions/entities/ss-ioa-new-rules/v2", {
        body: lines,
      });
      expect(proposed.body, proposed.text).toMatchObject({ grandparent_command_line: "" });
    });

    test("a list that is read by after or by offset ends at its total", async () => {
      const api = await suite.open();
      const values = [1, 2, 3, 4, 5].map((each) => `${each}.paged.example`);
      await api.request("POST", indicatorsPath, {
        body: { indicators: values.map((value) => fromGo(value)) },
      });
      const page = async (query: Record<string, string | number>) => {
        const path = "/iocs/queries/indicators/v1";
        const { body } = await api.request<Envelope>("GET", path, {
          query: { limit: 2, ...query },
        });
        return { ids: body.resources as unknown as readonly string[], ...body.meta.pagination };
      };
      // PSFalcon requests the next page with `after` if the response has one, otherwise with the
      // number of received records.
      const seen = new Set<string>();
      let last = await page({});
      for (let pages = 1; pages < 10; pages += 1) {
        for (const id of last.ids) seen.add(id);
        const { after, total } = last as { after?: string; total?: number };
        expect(total).toBe(5);
        if (seen.size >= 5) break;
        last = await page(after === undefined ? { offset: seen.size } : { after });
      }
      expect(seen.size).toBe(5);
    });
  });
});
