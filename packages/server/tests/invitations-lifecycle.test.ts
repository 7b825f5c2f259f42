import { expect, test } from "vitest";
import {
  acceptInvitation,
  cancelInvitation,
} from "../src/domain/user-management/invitations/answer-invitation.ts";
import { expireInvitations } from "../src/domain/user-management/invitations/expire-invitations.ts";
import { workerOf } from "./support/jobs.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { days, hours } from "./support/manual-clock.ts";
import { paths, usersSuite } from "./support/users.ts";
import { ahead } from "./support/session.ts";
import { ask, heldBy, invited, list, mailsTo } from "./support/invitations.ts";

withPostgresAtNight((engine) => {
  const suite = usersSuite(engine);

  test("granting to a user of an unrelated tenant creates an invitation and a mail, and grants nothing", async () => {
    const api = await suite.open();
    const partner = await suite.open();
    const ines = await partner.user("Ines", { first_name: "Ines" });
    const answer = await ask(api, ines.uid.toUpperCase(), ["falconhost_investigator"]);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.meta.writes.resources_affected).toBe(1);
    const [invitation] = await list(api);
    const now = api.clock.now().toISOString();
    expect(invitation).toEqual({
      invitation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      invitation_token: expect.stringMatching(/^ivt_[\w-]{32}$/),
      status: "pending",
      invitee_email: ines.uid,
      invitee_uuid: ines.uuid,
      inviter_cid: api.tenant.cid,
      inviter_email: expect.stringMatching(/^[0-9a-f]{32}$/),
      inviter_uuid: invitation?.inviter_email,
      target_cid: api.tenant.cid,
      created_at: now,
      email_sent_at: now,
      expires_at: ahead(api, days(7)),
      updated_at: now,
      updated_by: invitation?.inviter_email,
    });
    const [mail, ...others] = await mailsTo(api, ines.uid);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ kind: "invitation", cid: api.tenant.cid });
    expect(mail?.text).toContain(invitation?.invitation_token);
    expect(await heldBy(api, ines)).toBe(400);
    expect(await api.found({}, paths.queryAll)).toEqual([]);
    expect(await list(partner)).toEqual([]);
  });

  test("after acceptance the user holds the roles and is shown as external", async () => {
    const api = await suite.open();
    const partner = await suite.open();
    const ines = await partner.user("ines");
    const first = await invited(api, ines.uid, ["falconhost_investigator", "event_viewer"]);
    api.clock.advance(hours(1));
    const accepted = await acceptInvitation(api.store, first.invitation_token, api.clock.now());
    expect(accepted.role_ids).toEqual(["falconhost_investigator", "event_viewer"]);
    const now = api.clock.now().toISOString();
    expect(await list(api)).toEqual([
      {
        ...first,
        status: "accepted",
        accepted_at: now,
        updated_at: now,
        updated_by: ines.uid,
      },
    ]);
    expect(await heldBy(api, ines)).toEqual(["event_viewer", "falconhost_investigator"]);
    const seen = await api.get(paths.getAll, ines.uuid);
    expect(seen.body).toMatchObject([{ user_type: "external", access_granted_at: now }]);
    // Access began with the first grant: neither a later one nor a new expiry changes this.
    api.clock.advance(hours(1));
    const expires_at = ahead(api, days(1));
    const roles = ["event_viewer", "falconhost_investigator"];
    expect((await ask(api, ines.uuid, roles, { expires_at })).status).toBe(200);
    const later = await api.get(paths.getAll, ines.uuid);
    expect(later.body).toMatchObject([{ user_type: "external", access_granted_at: now }]);
    expect((await api.get(paths.get, ines.uuid)).status).toBe(404);
    // A user who already has access needs no invitation, and is known by id.
    expect((await ask(api, ines.uuid, ["help_desk"])).status).toBe(200);
    expect(await heldBy(api, ines)).toContain("help_desk");
    expect(await list(api)).toHaveLength(1);
  });

  test("accepting again, or after cancellation or expiry, is rejected and changes nothing", async () => {
    const api = await suite.open();
    const partner = await suite.open();
    const accept = (given: string) => acceptInvitation(api.store, given, api.clock.now());
    const a = await partner.user("a");
    const first = await invited(api, a.uid, ["event_viewer"]);
    await accept(first.invitation_id);
    await expect(accept(first.invitation_id)).rejects.toThrow("it is already accepted");
    const b = await partner.user("b");
    const second = await invited(api, b.uid, ["event_viewer"]);
    await cancelInvitation(api.store, second.invitation_id, api.clock.now());
    await expect(accept(second.invitation_token)).rejects.toThrow("it is already canceled");
    expect(await list(api, { filter: "status:'canceled'" })).toMatchObject([
      { invitation_id: second.invitation_id, canceled_by: "cli", updated_by: "cli" },
    ]);
    const third = await invited(api, b.uid, ["event_viewer"]);
    expect(third).not.toHaveProperty("original_invitation_id");
    api.clock.advance(days(7));
    await expect(accept(third.invitation_token)).rejects.toThrow("it is already expired");
    await expect(accept("ivt_unknown")).rejects.toThrow("invitation ivt_unknown not found");
    expect(await heldBy(api, b)).toBe(400);
  });

  test("a pending invitation has the status expired from its time on, also in filters", async () => {
    const api = await suite.open();
    const partner = await suite.open();
    const a = await partner.user("a");
    const { invitation_id } = await invited(api, a.uid, ["event_viewer"]);
    const ids = async (filter: string) => (await list(api, { filter })).map((each) => each.status);
    api.clock.advance(days(7) - 1);
    expect(await ids("status:'pending'")).toEqual(["pending"]);
    api.clock.advance(1);
    expect(await ids("status:'pending'")).toEqual([]);
    expect(await ids("status:'expired'")).toEqual(["expired"]);
    expect(await ids(`invitation_id:'${invitation_id}'`)).toEqual(["expired"]);
    // A new invitation does not renew an expired one.
    expect(await invited(api, a.uid, ["event_viewer"])).not.toHaveProperty(
      "original_invitation_id",
    );
  });

  test("at its time it is stored as expired, once, with an entry in the tenant's audit trail", async () => {
    const api = await suite.open();
    const partner = await suite.open();
    const [a, b] = [await partner.user("a"), await partner.user("b")];
    const { invitation_id } = await invited(api, a.uid, ["event_viewer"]);
    const accepted = await invited(api, b.uid, ["event_viewer"]);
    await acceptInvitation(api.store, accepted.invitation_token, api.clock.now());
    const at = ahead(api, days(7));
    api.clock.advance(days(8));
    const read = async () => (await list(api, { filter: `invitation_id:'${invitation_id}'` }))[0];
    const before = await read();
    const worker = workerOf(api, [expireInvitations]);
    await worker.drain();
    expect(await read()).toEqual(before);
    expect(before).toMatchObject({ status: "expired" });
    const trail = async () => {
      const entries = await api.store.directory.auditEntries({ cid: api.tenant.cid, limit: 50 });
      return entries.filter(({ operation }) => operation === "invitations expire");
    };
    expect(await trail()).toMatchObject([{ actor: "server", at, ids: [invitation_id] }]);
    await worker.drain();
    expect(await trail()).toHaveLength(1);
  });

  test("granting with a pending invitation replaces it with a new one, which includes its roles", async () => {
    const api = await suite.open();
    const partner = await suite.open();
    const a = await partner.user("a");
    const first = await invited(api, a.uid, ["event_viewer", "help_desk"]);
    api.clock.advance(hours(1));
    const second = await invited(api, a.uuid, ["help_desk", "xdr_admin"], {
      expires_at: ahead(api, days(3)),
    });
    expect(second.original_invitation_id).toBe(first.invitation_id);
    expect(second.invitation_token).not.toBe(first.invitation_token);
    const now = api.clock.now().toISOString();
    expect(await list(api)).toEqual([
      {
        ...first,
        status: "canceled",
        canceled_at: now,
        canceled_by: first.inviter_email,
        updated_at: now,
      },
      second,
    ]);
    expect(await mailsTo(api, a.uid)).toHaveLength(2);
    const accept = (token: string) => acceptInvitation(api.store, token, api.clock.now());
    await expect(accept(first.invitation_token)).rejects.toThrow("it is already canceled");
    await accept(second.invitation_token);
    expect(await heldBy(api, a)).toEqual(["event_viewer", "help_desk", "xdr_admin"]);
    api.clock.advance(days(3));
    expect(await heldBy(api, a)).toEqual(["event_viewer"]);
  });

  test("revoking removes roles from a pending invitation, and the last role cancels it", async () => {
    const api = await suite.open();
    const partner = await suite.open();
    const a = await partner.user("a");
    const { invitation_id } = await invited(api, a.uid, ["event_viewer", "help_desk"]);
    const revoke = async (...roles: readonly string[]) =>
      (await ask(api, a.uid, roles, { action: "revoke" })).body.meta.writes.resources_affected;
    expect(await revoke("xdr_admin")).toBe(0);
    expect(await revoke("help_desk", "xdr_admin")).toBe(1);
    expect(await list(api)).toMatchObject([{ status: "pending" }]);
    expect(await revoke("event_viewer")).toBe(1);
    expect(await list(api)).toMatchObject([{ invitation_id, status: "canceled" }]);
    expect(await revoke("event_viewer")).toBe(0);
  });

  test("a role that expires before the acceptance is not granted", async () => {
    const api = await suite.open();
    const partner = await suite.open();
    const a = await partner.user("a");
    await invited(api, a.uid, ["help_desk"], { expires_at: ahead(api, hours(1)) });
    const { invitation_token } = await invited(api, a.uid, ["event_viewer"]);
    api.clock.advance(hours(1));
    const { role_ids } = await acceptInvitation(api.store, invitation_token, api.clock.now());
    expect(role_ids).toEqual(["event_viewer"]);
    expect(await heldBy(api, a)).toEqual(["event_viewer"]);
    const b = await partner.user("b");
    const only = await invited(api, b.uid, ["help_desk"], { expires_at: ahead(api, hours(1)) });
    api.clock.advance(hours(1));
    await expect(
      acceptInvitation(api.store, only.invitation_token, api.clock.now()),
    ).rejects.toThrow("all its roles have expired");
    expect(await heldBy(api, b)).toBe(400);
  });
});
