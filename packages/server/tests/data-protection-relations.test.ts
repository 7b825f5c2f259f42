import { expect, test } from "vitest";
import { dataProtectionSuite, inputs, nothing, type Records } from "./support/data-protection.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { seconds } from "./support/manual-clock.ts";
import { messages, type ErrorBody } from "./support/session.ts";

/** Kinds that list each other, and the members with these lists. */
const relations = [
  {
    member: "local-applications",
    groups: "local-application-groups",
    listOfGroups: "group_ids",
    listOfMembers: "local_application_ids",
  },
  {
    member: "web-locations",
    groups: "web-location-groups",
    listOfGroups: "web_location_group_ids",
    listOfMembers: "web_location_ids",
  },
] as const;

const uniqueMembers = [
  ["local-applications", "name"],
  ["local-applications", "executable_name"],
  ["local-application-groups", "name"],
  ["web-location-groups", "name"],
] as const;

const newMember = (kind: (typeof relations)[number]["member"], name: string, more: object = {}) =>
  kind === "web-locations"
    ? { web_locations: [{ name, location_type: "folder", ...more }] }
    : { ...inputs[kind](name), ...more };

const inGroups = (record: Records["local-applications"] | Records["web-locations"]) =>
  "group_ids" in record ? record.group_ids : record.web_location_group_ids;
const hasMembers = (group: Records["local-application-groups"] | Records["web-location-groups"]) =>
  "local_application_ids" in group ? group.local_application_ids : group.web_location_ids;
const changedAt = (record: object): unknown =>
  "updated_at" in record
    ? record.updated_at
    : "last_updated" in record
      ? record.last_updated
      : null;

withPostgresAtNight((engine) => {
  const suite = dataProtectionSuite(engine);

  test.each(relations)("$member and $groups: both sides refer to each other", async (relation) => {
    const { member, groups, listOfGroups, listOfMembers } = relation;
    const api = await suite.open();
    const one = await api.stored(groups, inputs[groups]("One"));
    const two = await api.stored(groups, inputs[groups]("Two"));
    api.clock.advance(seconds(5));
    const first = await api.stored(
      member,
      newMember(member, "first", { [listOfGroups]: [one.id] }),
    );
    expect(inGroups(first)).toEqual([one.id]);
    const shown = await api.read(groups, one.id);
    expect(hasMembers(shown)).toEqual([first.id]);
    expect(changedAt(shown)).toBe(api.clock.now().toISOString());
    expect(await api.read(groups, two.id)).toEqual(two);

    const second = await api.stored(member, newMember(member, "second"));
    const change = { [listOfMembers]: [second.id, first.id] };
    expect((await api.change(groups, two.id, change)).body).toMatchObject([change]);
    expect(inGroups(await api.read(member, first.id))).toEqual([one.id, two.id]);
    expect(inGroups(await api.read(member, second.id))).toEqual([two.id]);

    const moved = await api.change(member, first.id, { [listOfGroups]: [two.id] });
    expect(moved.status, moved.text).toBe(200);
    expect(hasMembers(await api.read(groups, one.id))).toEqual([]);
    expect(hasMembers(await api.read(groups, two.id))).toEqual([second.id, first.id]);

    const third = await api.stored(groups, {
      ...inputs[groups]("Three"),
      [listOfMembers]: [first.id],
    });
    expect(inGroups(await api.read(member, first.id))).toEqual([two.id, third.id]);
    const having = `${listOfMembers}:'${first.id}'`;
    const filter = groups === "web-location-groups" ? `${having}+type:'custom'` : having;
    expect((await api.query(groups, { filter, sort: "name" })).body).toEqual([third.id, two.id]);

    expect((await api.remove(member, first.id)).body).toMatchObject([{ [listOfGroups]: [] }]);
    expect(hasMembers(await api.read(groups, two.id))).toEqual([second.id]);
    expect(hasMembers(await api.read(groups, third.id))).toEqual([]);
    expect((await api.remove(groups, two.id, third.id)).body).toMatchObject([
      { id: two.id, [listOfMembers]: [], deleted: true },
      { id: third.id, [listOfMembers]: [], deleted: true },
    ]);
    expect(inGroups(await api.read(member, second.id))).toEqual([]);
  });

  test.each(relations)("$member and $groups: references must exist", async (relation) => {
    const { member, groups, listOfGroups, listOfMembers } = relation;
    const [api, stranger] = [await suite.open(), await suite.open()];
    const foreign = await stranger.stored(groups, inputs[groups]("Theirs"));
    const deletedGroup = await api.stored(groups, inputs[groups]("Gone"));
    await api.remove(groups, deletedGroup.id);
    const at = member === "web-locations" ? "body.web_locations[0]" : "body";
    for (const id of [nothing, foreign.id, deletedGroup.id]) {
      const body = newMember(member, "first", { [listOfGroups]: [id] });
      const refused = await api.create<typeof member, ErrorBody>(member, body);
      expect(refused.status, refused.text).toBe(400);
      expect(refused.body.errors).toMatchObject([
        { id, message: expect.stringContaining(`${at}.${listOfGroups}[0]: `) },
      ]);
    }
    const created = await api.stored(member, newMember(member, "first"));
    await api.remove(member, created.id);
    const listed = { [listOfMembers]: [created.id, nothing] };
    const group = { ...inputs[groups]("Two"), ...listed };
    const refused = await api.create<typeof groups, ErrorBody>(groups, group);
    expect(refused.status).toBe(400);
    expect(messages(refused)).toEqual([
      expect.stringContaining(
        `body.${listOfMembers}[0]: the ${member.slice(0, -1).replace("-", " ")}`,
      ),
      expect.stringContaining(`body.${listOfMembers}[1]: there is no`),
    ]);
    const own = await api.stored(groups, inputs[groups]("Two"));
    expect((await api.change(groups, own.id, listed)).status).toBe(400);
    expect(await api.read(groups, own.id)).toEqual(own);
    const twice = { [listOfMembers]: [nothing, nothing] };
    expect((await api.change(groups, own.id, twice)).status).toBe(400);
  });

  test.each(relations)(
    "$member and $groups: concurrent changes keep both sides consistent",
    async (relation) => {
      const { member, groups, listOfGroups, listOfMembers } = relation;
      const api = await suite.open();
      const group = await api.stored(groups, inputs[groups]("One"));
      const members = await Promise.all(
        ["a", "b", "c", "d"].map((name) => api.stored(member, newMember(member, name))),
      );
      const ids = members.map(({ id }) => id);
      await Promise.all([
        ...ids.map((id) => api.change(member, id, { [listOfGroups]: [group.id] })),
        api.change(groups, group.id, { [listOfMembers]: ids.slice(0, 2) }),
        api.remove(member, ids[3] ?? ""),
      ]);
      const inside = new Set(hasMembers(await api.read(groups, group.id)));
      expect(inside.has(ids[3] ?? "")).toBe(false);
      for (const id of ids) {
        expect(inGroups(await api.read(member, id)).includes(group.id), id).toBe(inside.has(id));
      }
    },
  );

  test.each(uniqueMembers)("%s: %s is unique, ignoring case", async (kind, member) => {
    const api = await suite.open();
    const having = (name: string, value: string) => ({ ...inputs[kind](name), [member]: value });
    const first = await api.stored(kind, having("first", "Straße"));
    const duplicate = await api.create<typeof kind, ErrorBody>(kind, having("second", "STRAßE"));
    expect(duplicate.status, duplicate.text).toBe(409);
    expect(duplicate.body.errors).toMatchObject([
      { code: 409, id: first.id, message: expect.stringContaining(`body.${member}: `) },
    ]);
    const second = await api.stored(kind, having("second", "else"));
    const clash = await api.change<typeof kind, ErrorBody>(kind, second.id, { [member]: "straße" });
    expect(clash.status).toBe(409);
    expect(clash.body.errors).toMatchObject([{ id: first.id }]);
    expect((await api.change(kind, first.id, { [member]: "sTRAßE" })).status).toBe(200);
    expect((await (await suite.open()).create(kind, having("third", "Straße"))).status).toBe(200);

    await api.remove(kind, first.id);
    expect((await api.change(kind, second.id, { [member]: "Straße" })).status).toBe(200);
    await api.remove(kind, second.id);
    await api.stored(kind, having("fourth", "Straße"));
  });

  test.each(uniqueMembers)(
    "%s: of many concurrent creations with the same %s one succeeds",
    async (kind, member) => {
      const api = await suite.open();
      const answers = await Promise.all(
        ["a", "b", "c", "d", "e"].map((name) =>
          api.create(kind, { ...inputs[kind](name), [member]: "same" }),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
    },
  );

  test("the initial records of a tenant are its own", async () => {
    const api = await suite.open();
    const group = await api.known("local-application-groups", "Web browsers");
    expect(group.cid).toBe(api.tenant.cid);
    expect(group.local_application_ids.length).toBeGreaterThan(3);
    const [id = ""] = group.local_application_ids;
    const browser = await api.read("local-applications", id);
    expect(browser.group_ids).toEqual([group.id]);
    expect((await api.change("local-applications", id, { name: "Ours" })).status).toBe(200);
    const removed = await api.remove("local-application-groups", group.id);
    const deleted_at = api.clock.now().toISOString();
    expect(removed.body).toMatchObject([{ deleted: true, deleted_at, local_application_ids: [] }]);
    expect((await api.read("local-applications", id)).group_ids).toEqual([]);
    const filter = "is_deleted:true+platform:'win'";
    expect((await api.query("local-application-groups", { filter })).body).toEqual([group.id]);
    api.clock.advance(seconds(60 * 86_400));
    expect((await api.read("local-application-groups", group.id)).deleted_at).toBe(deleted_at);
  });

  test("predefined web locations can be in groups of the tenant, but not the other way round", async () => {
    const api = await suite.open();
    const gmail = await api.known("web-locations", "Gmail");
    const webmail = await api.known("web-location-groups", "Webmail");
    expect(gmail.web_location_group_ids).toEqual([webmail.id]);
    const body = { name: "Private mail", web_location_ids: [gmail.id] };
    const own = await api.stored("web-location-groups", body);
    expect((await api.read("web-locations", gmail.id)).web_location_group_ids).toEqual([
      webmail.id,
      own.id,
    ]);
    const stranger = await suite.open();
    expect(await stranger.read("web-locations", gmail.id)).toEqual(gmail);
    await api.remove("web-location-groups", own.id);
    expect((await api.read("web-locations", gmail.id)).web_location_group_ids).toEqual([
      webmail.id,
    ]);

    const intruder = newMember("web-locations", "mine", { web_location_group_ids: [webmail.id] });
    const refused = await api.create<"web-locations", ErrorBody>("web-locations", intruder);
    expect(refused.status, refused.text).toBe(403);
    expect(refused.body.errors).toMatchObject([{ id: webmail.id }]);
    expect(await api.read("web-location-groups", webmail.id)).toEqual(webmail);
  });

  test("predefined and custom records are in one list", async () => {
    const api = await suite.open();
    const listed = async (query: object) => {
      const answer = await api.query("web-locations", { limit: 100, ...query });
      return { ids: answer.body, total: answer.headers.get("x-total-count") };
    };
    const all = await listed({ offset: 0, sort: "name" });
    const mail = newMember("web-locations", "Gmail", { web_location_group_ids: [] });
    const own = await api.stored("web-locations", mail);
    const both = await listed({ filter: "name.raw:'Gmail'", offset: 0 });
    expect(both).toEqual({ ids: [expect.any(String), own.id], total: "2" });
    const [predefined = ""] = both.ids;
    // The tenant's copy replaces the platform's record.
    const body = { name: "Private mail", web_location_ids: [predefined] };
    const group = await api.stored("web-location-groups", body);
    const after = await listed({ offset: 0, sort: "name" });
    expect(after.total).toBe(String(Number(all.total) + 1));
    expect(after.ids.toSorted()).toEqual([...all.ids, own.id].toSorted());
    const member = `web_location_group_ids:'${group.id}'`;
    expect((await listed({ filter: member })).ids).toEqual([predefined]);
    const pages: string[] = [];
    for (let offset = 0; offset < after.ids.length; offset += 7) {
      pages.push(...(await listed({ sort: "name", limit: 7, offset })).ids);
    }
    expect(pages).toEqual(after.ids);
    for (const name of ["Webmail", "WEBMAIL", "private mail"]) {
      const duplicate = await api.create("web-location-groups", { name });
      expect(duplicate.status, name).toBe(409);
    }
    const changed = await api.change("web-location-groups", group.id, { name: "webmail" });
    expect(changed.status).toBe(409);
  });

  test("a group accepts up to a thousand members from either side", async () => {
    const api = await suite.open();
    const group = await api.stored("web-location-groups", { name: "Full" });
    const more = { location_type: "folder", web_location_group_ids: [group.id] };
    const folders = (count: number) => ({
      web_locations: Array.from({ length: count }, (_, at) => ({ name: `folder ${at}`, ...more })),
    });
    for (let created = 0; created < 900; created += 100) {
      expect((await api.create("web-locations", folders(100))).status).toBe(200);
    }
    await api.stored("web-locations", folders(99));
    const refused = await api.create<"web-locations", ErrorBody>("web-locations", folders(2));
    expect(refused.status, refused.text).toBe(400);
    expect(refused.body.errors).toMatchObject([
      {
        id: group.id,
        message: expect.stringContaining("body.web_locations[1].web_location_group_ids[0]: "),
      },
    ]);
    await api.stored("web-locations", folders(1));
    expect(hasMembers(await api.read("web-location-groups", group.id))).toHaveLength(1_000);
  });
});
