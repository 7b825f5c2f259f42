import { expect, test } from "vitest";
import { dataProtectionSuite, inputs, nothing, type KindName } from "./support/data-protection.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { messages, type ErrorBody } from "./support/session.ts";

const newLocation = (name: string, more: object) => ({
  web_locations: [{ name, location_type: "folder", ...more }],
});

withPostgresAtNight((engine) => {
  const suite = dataProtectionSuite(engine);

  test("many are created, all or none", async () => {
    const api = await suite.open();
    const folder = (name: string, more: object = {}) => ({
      name,
      location_type: "folder",
      ...more,
    });
    const web_locations = [
      folder("a"),
      folder("b", { type: "custom", deleted: false }),
      folder("a"),
    ];
    const created = await api.create("web-locations", { web_locations });
    expect(created.body).toMatchObject([{ name: "a" }, { name: "b" }, { name: "a" }]);
    expect(created.body[0]).not.toHaveProperty("application_id");
    const before = await api.query("web-locations", { type: "custom" });
    expect(before.body).toHaveLength(3);
    for (const bad of [
      { application_id: nothing },
      { enterprise_account_id: nothing },
      { type: "predefined" },
      { deleted: true },
      { location_type: "Folder" },
      { provider_location_id: "" },
    ]) {
      const body = { web_locations: [folder("c"), folder("d", bad)] };
      const refused = await api.create<"web-locations", ErrorBody>("web-locations", body);
      expect(refused.status, refused.text).toBe(400);
      const [member = ""] = Object.keys(bad);
      expect(messages(refused).join("\n")).toContain(`body.web_locations[1].${member}`);
    }
    expect((await api.query("web-locations", { type: "custom" })).body).toEqual(before.body);
    expect((await api.create("web-locations", { web_locations: [] })).status).toBe(400);
  });

  test("application and account are returned, protected from deletion, and can be cleared", async () => {
    const api = await suite.open();
    const drive = await api.known("cloud-applications", "Google Drive");
    const portal = await api.stored("cloud-applications", inputs["cloud-applications"]("Portal"));
    const account = await api.stored("enterprise-accounts", inputs["enterprise-accounts"]("Ours"));
    const more = {
      application_id: drive.id,
      enterprise_account_id: account.id,
      provider_location_id: "drafts",
      provider_location_name: "Drafts",
    };
    const created = await api.stored("web-locations", newLocation("Drafts", more));
    expect(created).toMatchObject({ ...more, supports_network_inspection: true });
    const filter = `application_id:'${drive.id}'+enterprise_account_id:'${account.id}'`;
    expect((await api.query("web-locations", { filter })).body).toEqual([created.id]);
    const all = await api.query("web-locations", { filter: `application_id:'${drive.id}'` });
    const [own, predefined] = [{ type: "custom" }, { type: "predefined" }].map((query) =>
      api.query("web-locations", { ...query, filter: `application_id:'${drive.id}'` }),
    );
    expect(all.body.toSorted()).toEqual(
      [...((await own)?.body ?? []), ...((await predefined)?.body ?? [])].toSorted(),
    );
    expect((await own)?.body).toEqual([created.id]);
    expect((await api.query("web-locations", { type: "neither" })).status).toBe(400);

    const inUse = async (kind: KindName, id: string) => {
      const refused = await api.remove<typeof kind, ErrorBody>(kind, id);
      expect(refused.status, refused.text).toBe(409);
      expect(refused.body.errors).toMatchObject([{ code: 409, id }]);
      expect(messages(refused)).toEqual([expect.stringContaining(`${created.id}, Drafts`)]);
    };
    await inUse("enterprise-accounts", account.id);
    const moved = await api.change("web-locations", created.id, { application_id: portal.id });
    expect(moved.body).toMatchObject([
      { application_id: portal.id, supports_network_inspection: false },
    ]);
    await inUse("cloud-applications", portal.id);
    const clear = {
      application_id: null,
      enterprise_account_id: null,
      provider_location_id: null,
      provider_location_name: null,
    };
    const cleared = await api.change("web-locations", created.id, clear);
    expect(cleared.status, cleared.text).toBe(200);
    for (const member of Object.keys(clear)) expect(cleared.body[0]).not.toHaveProperty(member);
    expect((await api.remove("cloud-applications", portal.id)).status).toBe(200);
    expect((await api.remove("enterprise-accounts", account.id)).status).toBe(200);
    for (const change of [
      { application_id: portal.id },
      { enterprise_account_id: account.id },
      { application_id: nothing },
      { type: "predefined" },
      { deleted: true },
      { name: null },
    ]) {
      expect((await api.change("web-locations", created.id, change)).status).toBe(400);
    }
    const { id, name, type, location_type, deleted } = await api.read("web-locations", created.id);
    const back = { id, name, type, location_type, deleted };
    expect((await api.change("web-locations", created.id, back)).body).toMatchObject([back]);
  });

  test("a deleted web location no longer protects its application", async () => {
    const api = await suite.open();
    const portal = await api.stored("cloud-applications", inputs["cloud-applications"]("Portal"));
    const created = await api.stored(
      "web-locations",
      newLocation("Drafts", { application_id: portal.id }),
    );
    expect((await api.remove("cloud-applications", portal.id)).status).toBe(409);
    await api.remove("web-locations", created.id);
    expect((await api.remove("cloud-applications", portal.id)).status).toBe(200);
    expect((await api.read("web-locations", created.id)).application_id).toBe(portal.id);
  });

  test("an application cannot be deleted while a web location is about to refer to it", async () => {
    const api = await suite.open();
    const portal = await api.stored("cloud-applications", inputs["cloud-applications"]("Portal"));
    const [named, removed] = await Promise.all([
      api.create("web-locations", newLocation("a", { application_id: portal.id })),
      api.remove("cloud-applications", portal.id),
    ]);
    expect([named.status, removed.status].toSorted()).toSatisfy(
      (statuses: readonly number[]) =>
        [200, 400].join() === statuses.join() || [200, 409].join() === statuses.join(),
    );
  });
});
