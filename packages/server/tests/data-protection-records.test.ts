import { expect, test } from "vitest";
import {
  dataProtectionSuite,
  inputs,
  nothing,
  writable,
  type KindName,
  type Records,
  type Session,
} from "./support/data-protection.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { seconds } from "./support/manual-clock.ts";
import { messages, type ErrorBody } from "./support/session.ts";

/** Kinds with built-in records, one record of each, and a change to try. */
const predefined = {
  "cloud-applications": "Google Drive",
  "content-patterns": "IBAN",
  "web-location-groups": "Webmail",
  "web-locations": "Gmail",
} as const satisfies { readonly [Name in KindName]?: string };

const changeable = writable.filter((kind) => kind !== "labels");

/** The field for the deletion state of a record. */
const deletedField = (kind: KindName): string =>
  kind.startsWith("local-") ? "is_deleted" : "deleted";

const changedAt = (record: Records[KindName]): string =>
  "updated_at" in record ? record.updated_at : record.last_updated;

const named = async (session: Session, kind: (typeof writable)[number], name: string) =>
  session.stored(kind, inputs[kind](name));

withPostgresAtNight((engine) => {
  const suite = dataProtectionSuite(engine);

  test.each(writable)("%s: created, read, listed and deleted", async (kind) => {
    const api = await suite.open();
    const first = await named(api, kind, "First");
    const second = await named(api, kind, "Second");
    expect(first).toMatchObject({ cid: api.tenant.cid, name: "First", deleted: false });
    expect((await api.get(kind, second.id, first.id, second.id)).body).toEqual([second, first]);
    const filter = "(name:'first',name:'second')";
    const listed = await api.query(kind, { filter, sort: "name.desc" });
    expect(listed.body).toEqual([second.id, first.id]);
    expect(listed.headers.get("x-total-count")).toBe("2");

    api.clock.advance(seconds(5));
    const removed = await api.remove(kind, first.id);
    expect(removed.status, removed.text).toBe(200);
    expect(removed.body).toHaveLength(1);
    expect(removed.body[0]).toMatchObject({ id: first.id, deleted: true });
    expect(changedAt(removed.body[0] as Records[KindName])).toBe(api.clock.now().toISOString());
    expect(await api.read(kind, first.id)).toEqual(removed.body[0]);
    const live = `${filter}+${deletedField(kind)}:false`;
    expect((await api.query(kind, { filter: live })).body).toEqual([second.id]);
    expect((await api.query(kind, { filter, sort: "name" })).body).toEqual([first.id, second.id]);

    api.clock.advance(seconds(5));
    const again = await api.remove(kind, first.id, second.id, first.id);
    expect(again.body).toHaveLength(2);
    expect(again.body[0]).toEqual(removed.body[0]);
    expect(again.body[1]).toMatchObject({ id: second.id, deleted: true });
    expect((await api.remove(kind, first.id)).body).toEqual([removed.body[0]]);
    expect((await api.trail()).map(({ ids }) => ids).slice(0, 4)).toEqual([
      [second.id],
      [first.id],
      [second.id],
      [first.id],
    ]);
  });

  test.each(changeable)("%s: a change affects only its members", async (kind) => {
    const api = await suite.open();
    const record = await named(api, kind, "First");
    api.clock.advance(seconds(5));
    const changed = await api.change(kind, record.id, { name: "Other" });
    expect(changed.status, changed.text).toBe(200);
    const now = api.clock.now().toISOString();
    const at = "updated_at" in record ? { updated_at: now } : { last_updated: now };
    expect(changed.body).toEqual([{ ...record, name: "Other", ...at }]);
    expect(await api.read(kind, record.id)).toEqual(changed.body[0]);
    expect((await api.query(kind, { filter: "name:'first'" })).body).toEqual([]);
  });

  test.each(changeable)("%s: a deleted record cannot be changed", async (kind) => {
    const api = await suite.open();
    const { id } = await named(api, kind, "First");
    const removed = await api.remove(kind, id);
    const refused = await api.change<typeof kind, ErrorBody>(kind, id, { name: "Other" });
    expect(refused.status).toBe(409);
    expect(messages(refused)).toEqual([expect.stringContaining(`${id} is deleted`)]);
    expect(await api.read(kind, id)).toEqual(removed.body[0]);
  });

  test.each(writable)("%s: another tenant sees and changes nothing", async (kind) => {
    const [ownApi, foreign] = [await suite.open(), await suite.open()];
    const record = await named(ownApi, kind, "First");
    const child = await suite.open(ownApi.tenant);
    for (const stranger of [foreign, child]) {
      const read = await stranger.get<typeof kind, ErrorBody>(kind, record.id);
      expect(read.status).toBe(404);
      expect(read.body).toMatchObject({ errors: [{ code: 404, id: record.id }], resources: [] });
      expect((await stranger.remove(kind, record.id)).status).toBe(404);
      expect((await stranger.query(kind, { filter: `id:'${record.id}'` })).body).toEqual([]);
      if (kind !== "labels") {
        expect((await stranger.change(kind, record.id, { name: "Mine" })).status).toBe(404);
      }
    }
    expect(await ownApi.read(kind, record.id)).toEqual(record);
  });

  test.each(writable)("%s: unknown ids are reported, and nothing changes", async (kind) => {
    const api = await suite.open();
    const record = await named(api, kind, "First");
    const read = await api.get<typeof kind, ErrorBody>(kind, nothing, record.id);
    expect(read.status).toBe(404);
    expect(read.body).toMatchObject({ errors: [{ id: nothing }], resources: [record] });
    const removed = await api.remove<typeof kind, ErrorBody>(kind, record.id, nothing);
    expect(removed.status).toBe(404);
    expect(removed.body.errors).toMatchObject([{ code: 404, id: nothing }]);
    expect(await api.read(kind, record.id)).toEqual(record);
    for (const id of ["short", record.id.toUpperCase().replace(/^./, "G")]) {
      expect((await api.get(kind, id)).status).toBe(400);
      expect((await api.remove(kind, id)).status).toBe(400);
    }
    expect((await api.get(kind)).status).toBe(400);
    const many = Array.from({ length: 101 }, (_, at) => at.toString(16).padStart(32, "0"));
    expect((await api.get(kind, ...many)).status).toBe(400);
  });

  test.each(writable)("%s: invalid requests", async (kind) => {
    const api = await suite.open();
    const good = inputs[kind]("First");
    const [where, single] =
      "web_locations" in good ? ["body.web_locations[0]", good.web_locations[0]] : ["body", good];
    const wrapped = (body: object) => ("web_locations" in good ? { web_locations: [body] } : body);
    const refused = async (change: object, message: string) => {
      const answer = await api.create<typeof kind, ErrorBody>(kind, wrapped(change));
      expect(answer.status, answer.text).toBe(400);
      expect(messages(answer).join("\n")).toContain(message);
    };
    await refused({ ...single, name: "" }, `${where}.name`);
    await refused({ ...single, name: "x".repeat(257) }, `${where}.name`);
    await refused({ ...single, name: 7 }, `${where}.name`);
    await refused({ ...single, nmae: "x" }, "name");
    const { name: _name, ...nameless } = single as { name: string };
    await refused(nameless, "name");
    expect((await api.create(kind, [])).status).toBe(400);
    for (const query of [
      { limit: 501 },
      { limit: -1 },
      { offset: 10_001 },
      { offset: -1 },
      { sort: "nothing" },
      { filter: "nothing:'x'" },
      { filter: "name" },
    ]) {
      expect((await api.query(kind, query)).status, JSON.stringify(query)).toBe(400);
    }
    expect((await api.query(kind, { limit: 500, offset: 10_000 })).status).toBe(200);
  });

  test.each(Object.entries(predefined))(
    "%s: predefined records are read-only",
    async (name, title) => {
      const kind = name as keyof typeof predefined;
      const api = await suite.open();
      const record = await api.known(kind, title);
      expect(record).not.toHaveProperty("cid");
      const own = await named(api, kind, "First");
      const changed = await api.change<typeof kind, ErrorBody>(kind, record.id, { name: "Mine" });
      expect(changed.status).toBe(403);
      expect(changed.body.errors).toMatchObject([{ code: 403, id: record.id }]);
      const removed = await api.remove<typeof kind, ErrorBody>(kind, own.id, record.id);
      expect(removed.status).toBe(403);
      expect(removed.body.errors).toMatchObject([{ code: 403, id: record.id }]);
      expect(await api.read(kind, record.id)).toEqual(record);
      expect(await api.read(kind, own.id)).toEqual(own);
      expect(await (await suite.open()).read(kind, record.id)).toEqual(record);
    },
  );

  test("file types are predefined, and the same in every tenant", async () => {
    const [api, other] = [await suite.open(), await suite.open()];
    const all = await api.query("file-types", { sort: "name", limit: 500 });
    expect(all.body.length).toBeGreaterThan(50);
    expect((await other.query("file-types", { sort: "name", limit: 500 })).body).toEqual(all.body);
    const filter = "name:['PDF','CSV']";
    const { body } = await api.query("file-types", { filter, sort: "name.desc" });
    const types = await api.get("file-types", ...body);
    expect(types.body).toMatchObject([
      { name: "PDF", supported_platforms: ["win", "mac"], supports_mip_extraction: true },
      { name: "CSV", category_id: "tables", supports_mip_extraction: false },
    ]);
    const labelled = await api.query("file-types", { filter: "supports_mip_extraction:true" });
    expect(labelled.body.length).toBeLessThan(all.body.length);
    expect((await api.get("file-types", nothing)).status).toBe(404);
    const kept = await api.query("file-types", { filter: "deleted:false" });
    expect(kept.body.toSorted()).toEqual(all.body.toSorted());
    expect((await api.query("file-types", { filter: "deleted:true" })).body).toEqual([]);
  });
});
