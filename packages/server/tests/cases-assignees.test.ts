import { expect, test } from "vitest";
import { everyCase } from "../src/domain/case-management/access-tags/reader.ts";
import { cases, type StoredCase } from "../src/domain/case-management/kinds/cases.ts";
import { filled } from "../src/domain/case-management/kinds/store-cases.ts";
import { newUuid } from "../src/foundation/identifiers.ts";
import { type Case, casesSuite, paths, type Session } from "./support/cases.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { minutes } from "./support/manual-clock.ts";
import type { User } from "./support/users.ts";

const rename = async ({ request }: Session, { uuid }: User): Promise<void> => {
  const answer = await request("PATCH", paths.users, {
    query: { user_uuid: uuid },
    body: { first_name: "Mara", last_name: "Lindqvist" },
  });
  expect(answer.status, answer.text).toBe(200);
};

const remove = async ({ request }: Session, { uuid }: User): Promise<void> => {
  const answer = await request("DELETE", paths.users, { query: { user_uuid: uuid } });
  expect(answer.status, answer.text).toBe(200);
};

const assignedTo = ({ uuid }: User, more: object = {}) => ({
  assigned_to_user_uuid: uuid,
  ...more,
});

/** Operations in the audit trail of the session's tenant that concern the case. */
const audited = async ({ store, tenant }: Session, { id }: Case): Promise<readonly string[]> => {
  const entries = await store.directory.auditEntries({ cid: tenant.cid, limit: 500 });
  return entries.flatMap(({ ids, operation }) => (ids.includes(id) ? operation : []));
};

withPostgresAtNight((engine) => {
  const suite = casesSuite(engine);

  test("cases show the current name of their assignee, and are found by it", async () => {
    const api = await suite.open();
    const child = await suite.open(api.tenant);
    const [nadia, omar] = [await api.user("nadia"), await api.user("omar")];
    const granted = await api.request("POST", paths.roles, {
      body: {
        action: "grant",
        cid: child.tenant.cid,
        uuid: nadia.uuid,
        role_ids: ["falconhost_analyst"],
      },
    });
    expect(granted.status, granted.text).toBe(200);
    await api.accessTag("LEGAL", api.clientId);
    const mine = await api.stored(assignedTo(nadia, { name: "mine" }));
    const legal = await api.stored(
      assignedTo(nadia, { name: "legal", access_tags: [{ key: "LEGAL" }] }),
    );
    const target = await api.stored({ name: "target" });
    const merged = await api.stored(assignedTo(nadia, { name: "merged" }));
    expect((await api.merge(merged.id, target.id)).status).toBe(200);
    await api.stored(assignedTo(omar, { name: "other" }));
    const below = await child.stored(assignedTo(nadia, { name: "below" }));
    const before = await api.read(merged.id);
    api.clock.advance(minutes(1));

    await rename(api, nadia);
    await suite.api().work();
    const name = "Mara Lindqvist";
    const query = { filter: `assigned_to_name:'${name}'`, sort: "name" };
    expect(await api.found(query)).toEqual(["legal", "merged", "mine"]);
    expect(await api.found({ q: "lindqvist", sort: "name" })).toEqual(["legal", "merged", "mine"]);
    expect(await api.found({ q: "nadia tester" })).toEqual([]);
    expect(await child.found({ q: "lindqvist" })).toEqual(["below"]);
    // Nothing else changes: no case has a new version.
    const user = { uuid: nadia.uuid, full_name: name, email: nadia.uid };
    expect(await api.read(mine.id)).toEqual({ ...mine, assigned_to: user });
    expect(await api.read(legal.id)).toEqual({ ...legal, assigned_to: user });
    expect(await api.read(merged.id)).toEqual({ ...before, assigned_to: user });
    expect(await child.read(below.id)).toEqual({ ...below, assigned_to: user });
    expect(await audited(api, mine)).toEqual(["entities.cases.put.v2"]);
  });

  test("deleting a user ends the assignments, as a change by the server", async () => {
    const api = await suite.open();
    const nadia = await api.user("nadia");
    const open = await api.stored(assignedTo(nadia, { name: "open" }));
    const closed = await api.stored(assignedTo(nadia, { name: "closed", status: "closed" }));
    const taken = await api.stored(assignedTo(nadia, { name: "taken" }));
    const omar = await api.user("omar");
    await remove(api, nadia);
    await api.patch(taken.id, assignedTo(omar));
    await suite.api().work();
    const query = { filter: "assigned_to_uuid:null", sort: "name" };
    expect(await api.found(query)).toEqual(["closed", "open"]);
    expect(await api.found({ filter: `assigned_to_userid:'${nadia.uid}'` })).toEqual([]);
    expect(await api.found({ q: nadia.uid })).toEqual([]);
    const { assigned_to: _user, ...unassigned } = open;
    const after = await api.read(open.id);
    expect(after).toEqual({
      ...unassigned,
      version: 2,
      updated_timestamp: after.updated_timestamp,
      last_updated_by: after.last_updated_by,
      update_actor: { type: "system" },
    });
    expect(await api.read(closed.id)).toMatchObject({ status: "closed", version: 2 });
    expect(await api.read(taken.id)).toMatchObject({
      assigned_to: { uuid: omar.uuid },
      version: 2,
    });
    expect(await audited(api, open)).toEqual(["cases unassign", "entities.cases.put.v2"]);
  });

  test("many cases follow in batches, and a second pass finds those assigned meanwhile", async () => {
    const api = await suite.open();
    const nadia = await api.user("nadia");
    const first = await api.stored(assignedTo(nadia));
    const records = api.store.records(cases, everyCase(api.tenant.cid));
    const casesById = await records.getComplete([first.id], api.clock.now());
    const sample = casesById.get(first.id) as StoredCase;
    const copies = (from: number, to: number) =>
      api.store.write(api.tenant.cid, async (transaction) => {
        const made = Array.from({ length: to - from }, (_, index) =>
          filled({ ...sample, id: newUuid(), reference_id: `CSE-${from + index}` }),
        );
        await transaction.records(cases).insert(made, api.clock.now());
      });
    const total = async (filter: string): Promise<number> =>
      Number((await api.search({ filter, limit: 1, offset: 0 })).headers.get("x-total-count"));
    await copies(2, 251);
    await rename(api, nadia);
    await suite.api().work();
    expect(await total("assigned_to_name:'mara lindqvist'")).toBe(250);
    // A request that read the user before the change.
    await copies(251, 252);
    expect(await total("assigned_to_name:'nadia tester'")).toBe(1);
    api.clock.advance(minutes(5));
    await suite.api().work();
    expect(await total("assigned_to_name:'mara lindqvist'")).toBe(251);
  });
});
