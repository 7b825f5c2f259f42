import { expect, test } from "vitest";
import { createClient } from "../src/access/clients.ts";
import { allScopes } from "./support/api.ts";
import { CaseConfiguration, only } from "./support/case-configuration.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { sharedApi } from "./support/shared-api.ts";

const templates = "templates/v1";

withPostgresAtNight((engine) => {
  const shared = sharedApi(engine);
  const open = async () => new CaseConfiguration(await shared.open());

  test("a new key creates an access tag, which its creator holds", async () => {
    const configuration = await open();
    const first = await configuration.created(templates, {
      name: "First",
      access_tags: [{ key: "EMBERFALL" }],
    });
    const [tag] = first.access_tags;
    expect(first.has_access).toBe(true);
    const ofFirst = { id: first.id, name: "First" };
    expect(tag).toMatchObject({ key: "EMBERFALL", templates: [ofFirst] });
    const second = await configuration.created(templates, {
      name: "Second",
      access_tags: [{ key: "emberfall" }, { key: "OTHER" }],
    });
    const both = [ofFirst, { id: second.id, name: "Second" }];
    expect(second.access_tags[0]).toEqual({ ...tag, templates: both });
    expect((await configuration.read(templates, first.id)).access_tags).toEqual([
      { ...tag, templates: both },
    ]);
    const id = tag?.id ?? "";
    const held = await configuration.get("access-tags/v1", { ids: id, with_has_access: true });
    expect(held.body).toEqual([{ ...tag, has_access: true, templates: both }]);
    expect(Object.keys(only(held))).toEqual(["id", "key", "cid", "has_access", "templates"]);
    expect(await configuration.read("access-tags/v1", id)).toEqual({ ...tag, templates: both });

    const stranger = await configuration.api.newToken(await newClient(configuration));
    const path = "/casemgmt/entities/access-tags/v1";
    const query = { ids: id, with_has_access: true };
    const seen = await configuration.api.request("GET", path, { query, token: stranger });
    expect(seen.body).toMatchObject([{ has_access: false }]);
    const shown = await configuration.api.request("GET", "/casemgmt/entities/templates/v1", {
      query: { ids: first.id, with_has_access: true },
      token: stranger,
    });
    expect(shown.body).toMatchObject([{ has_access: false }]);
    const missing = await configuration.api.request("GET", "/casemgmt/entities/templates/v1", {
      query: { ids: [first.id, "0".repeat(32)] },
      token: stranger,
    });
    expect([missing.status, missing.body]).toEqual([
      404,
      expect.objectContaining({ resources: [expect.objectContaining({ has_access: false })] }),
    ]);
    const absent = await configuration.api.request("GET", path, {
      query: { ids: [id, "0".repeat(32), id], with_has_access: true },
      token: stranger,
    });
    expect([absent.status, absent.body]).toEqual([
      404,
      expect.objectContaining({ resources: [{ ...tag, has_access: false, templates: both }] }),
    ]);
    const renamed = await configuration.api.request<readonly object[]>(
      "PATCH",
      "/casemgmt/entities/templates/v1",
      { body: { id: second.id, name: "Second" }, token: stranger },
    );
    expect(renamed.body).toMatchObject([{ id: second.id, has_access: false }]);

    await configuration.changed(templates, { id: second.id, access_tags: [{ id }] });
    await configuration.changed(templates, { id: first.id, name: "Renamed" });
    expect((await configuration.read("access-tags/v1", id)).templates).toEqual([
      { id: second.id, name: "Second" },
      { id: first.id, name: "Renamed" },
    ]);
    await configuration.remove(templates, second.id);
    const left = await configuration.read(templates, first.id);
    expect(left.access_tags[0]?.templates).toEqual([{ id: first.id, name: "Renamed" }]);
  });

  test("unknown and contradictory access tags are rejected", async () => {
    const configuration = await open();
    const { access_tags } = await configuration.created(templates, {
      name: "First",
      access_tags: [{ key: "ONE" }],
    });
    const id = access_tags[0]?.id ?? "";
    const unknown = "0".repeat(32);
    expect(
      await configuration.refusedTemplate({
        access_tags: [{ id: unknown }, { id, key: "TWO" }, { key: "NEW" }],
      }),
    ).toEqual([
      `body.access_tags[0].id: there is no access tag ${unknown}`,
      `body.access_tags[1].key: the access tag ${id} has the key ONE; send one of id and key`,
    ]);
    expect(await configuration.refusedTemplate({ access_tags: [{ id }, { key: "one" }] })).toEqual([
      "body.access_tags[1]: the access tag is in the list already",
    ]);
    expect((await configuration.query("access-tags/v1")).body).toEqual([id]);
  });

  test("access tags are paged with a cursor", async () => {
    const configuration = await open();
    const keys = ["A", "B", "C"].map((key) => ({ key }));
    await configuration.created(templates, { name: "Tagged", access_tags: keys });
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page = await configuration.query("access-tags/v1", {
        sort: "key.desc",
        limit: "2",
        ...(after === null ? {} : { after }),
      });
      seen.push(...page.body);
      after = page.headers.get("x-pagination-after");
    } while (after !== null);
    const { body } = await configuration.get("access-tags/v1", { ids: seen });
    expect(body.map(({ key }) => key)).toEqual(["C", "B", "A"]);
  });
});

async function newClient({ api }: CaseConfiguration) {
  const { cid } = api.tenant;
  return createClient(api.store.directory, api.clock, { cid, name: "Stranger", scopes: allScopes });
}
