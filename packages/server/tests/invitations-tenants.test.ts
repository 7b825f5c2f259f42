import { expect, test } from "vitest";
import { acceptInvitation } from "../src/domain/user-management/invitations/answer-invitation.ts";
import { clientOf } from "./support/acting.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { hours } from "./support/manual-clock.ts";
import { nobody, paths, usersSuite } from "./support/users.ts";
import { type ErrorBody, messages } from "./support/session.ts";
import {
  actions,
  ask,
  get,
  heldBy,
  invited,
  list,
  query,
  type Invitation,
} from "./support/invitations.ts";

withPostgresAtNight((engine) => {
  const suite = usersSuite(engine);

  test("an unknown user, address or role causes a 404 for the whole call", async () => {
    const api = await suite.open();
    const partner = await suite.open();
    const a = await partner.user("a");
    const own = await api.user("own");
    const refused = async (uuid: string, roles: readonly string[], more?: object) => {
      const answer = await ask(api, uuid, roles, more);
      expect(answer.status, answer.text).toBe(404);
      return messages(answer);
    };
    expect(await refused(nobody, ["help_desk"])).toEqual([`user ${nobody} not found`]);
    expect(await refused("no@one.example", ["nothing"])).toEqual([
      "user no@one.example not found",
      "role nothing not found",
    ]);
    // Not by id: those of unrelated tenants are not known here.
    expect(await refused(a.uuid, ["help_desk"])).toEqual([`user ${a.uuid} not found`]);
    expect(await refused(a.uid, ["help_desk", "nothing"])).toEqual(["role nothing not found"]);
    expect(await refused(own.uuid, ["help_desk", "nothing"])).toEqual(["role nothing not found"]);
    expect(await list(api)).toEqual([]);
    expect(await heldBy(api, own)).toEqual([]);
    const foreign = await ask(api, a.uid, ["help_desk"], { cid: partner.tenant.cid });
    expect(foreign.status).toBe(403);
  });

  test("users of the tenant and its tree get roles at once", async () => {
    const parent = await suite.open();
    const child = await suite.open(parent);
    const a = await parent.user("a");
    expect((await ask(parent, a.uuid, ["help_desk"], { cid: child.tenant.cid })).status).toBe(200);
    expect(await heldBy(child, a)).toEqual(["help_desk"]);
    const b = await child.user("b");
    expect((await ask(parent, b.uid, ["event_viewer"])).status).toBe(200);
    expect(await heldBy(parent, b)).toEqual(["event_viewer"]);
    expect(await list(parent)).toEqual([]);
    expect(await list(child)).toEqual([]);
  });

  test("users of a sibling tenant are invited first, and not shown before", async () => {
    const parent = await suite.open();
    const one = await suite.open(parent);
    const beside = await suite.open(parent);
    const a = await beside.user("a");
    const invitation = await invited(one, a.uid, ["help_desk"]);
    expect(invitation).toMatchObject({ invitee_uuid: a.uuid, target_cid: one.tenant.cid });
    expect((await one.get(paths.getAll, a.uuid)).status).toBe(404);
    await acceptInvitation(one.store, invitation.invitation_token, one.clock.now());
    expect(await heldBy(one, a)).toEqual(["help_desk"]);
    // From then on like any user known to the tenant. A common parent needs no invitation.
    expect((await ask(one, a.uuid, ["event_viewer"])).status).toBe(200);
    expect(await heldBy(one, a)).toEqual(["event_viewer", "help_desk"]);
    const b = await beside.user("b");
    expect((await ask(parent, b.uid, ["help_desk"], { cid: one.tenant.cid })).status).toBe(200);
    expect(await heldBy(one, b)).toEqual(["help_desk"]);
  });

  test("invitations of a deleted user are cancelled, without naming who deleted the user", async () => {
    const api = await suite.open();
    const partner = await suite.open();
    const a = await partner.user("a");
    const earlier = await invited(api, a.uid, ["help_desk"]);
    const pending = await invited(api, a.uid, ["event_viewer"]);
    api.clock.advance(hours(1));
    const deletion = await partner.request("DELETE", paths.users, { query: { user_uuid: a.uuid } });
    expect(deletion.status, deletion.text).toBe(200);
    const at = api.clock.now().toISOString();
    expect(await list(api)).toMatchObject([
      { invitation_id: earlier.invitation_id, canceled_by: earlier.inviter_email },
      {
        invitation_id: pending.invitation_id,
        status: "canceled",
        canceled_at: at,
        canceled_by: a.uid,
        updated_by: a.uid,
      },
    ]);
    const [entry] = await api.store.directory.auditEntries({ cid: api.tenant.cid, limit: 1 });
    expect(entry).toMatchObject({ operation: "deleteUserV1", ids: [pending.invitation_id] });
  });

  test("invitations to a child belong to the child, and name the user who invited", async () => {
    const parent = await suite.open();
    const child = await suite.open(parent);
    const partner = await suite.open();
    const ines = await partner.user("ines");
    const mara = await parent.user("mara");
    for (const cid of [parent.tenant.cid, child.tenant.cid]) {
      await parent.granted(mara.uuid, ["falconhost_admin"], { cid });
    }
    const acting = await clientOf(parent, mara);
    const answer = await acting.request("POST", actions, {
      body: {
        action: "grant",
        cid: child.tenant.cid,
        uuid: ines.uid,
        role_ids: ["event_viewer"],
      },
    });
    expect(answer.status, answer.text).toBe(200);
    expect(await list(parent)).toEqual([]);
    const [invitation] = await list(child);
    expect(invitation).toMatchObject({
      inviter_cid: parent.tenant.cid,
      inviter_email: mara.uid,
      inviter_uuid: mara.uuid,
      target_cid: child.tenant.cid,
    });
    const ids = [invitation?.invitation_id ?? ""];
    expect((await parent.request("POST", get, { body: { ids } })).status).toBe(404);
  });

  test("version 1 does not invite", async () => {
    const api = await suite.open();
    const partner = await suite.open();
    const a = await partner.user("a");
    expect((await api.change("grant", a.uuid, ["help_desk"])).status).toBe(404);
    const { invitation_token } = await invited(api, a.uid, ["event_viewer"]);
    await acceptInvitation(api.store, invitation_token, api.clock.now());
    expect((await api.change("grant", a.uuid, ["help_desk"])).status).toBe(404);
    expect(await heldBy(api, a)).toEqual(["event_viewer"]);
  });

  test("invitations by id are in the requested order; unknown ids are reported", async () => {
    const api = await suite.open();
    const partner = await suite.open();
    const ids: string[] = [];
    for (const name of ["a", "b"]) {
      const { uid } = await partner.user(name);
      api.clock.advance(1);
      ids.unshift((await invited(api, uid, ["event_viewer"])).invitation_id);
    }
    const listed = await api.request<readonly Invitation[]>("POST", get, {
      body: { ids: [...ids, ...ids] },
    });
    expect(listed.body.map(({ invitation_id }) => invitation_id)).toEqual(ids);
    const missing = await api.request<ErrorBody>("POST", get, { body: { ids: [nobody, ...ids] } });
    expect(missing.status).toBe(404);
    expect(messages(missing)).toEqual([`invitation ${nobody} not found`]);
    expect(missing.body.resources).toHaveLength(2);
    const page = await api.request("GET", query, { query: { sort: "created_at|desc", limit: 1 } });
    expect(page.body).toEqual([ids[0]]);
    expect(page.headers.get("x-total-count")).toBe("2");
    const hidden = await api.request<ErrorBody>("GET", query, {
      query: { filter: "invitation_token:'x'" },
    });
    expect(hidden.status).toBe(400);
  });
});
