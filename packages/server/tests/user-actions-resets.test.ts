import { expect, test } from "vitest";
import { outbox } from "../src/mail/outbox.ts";
import { users, type StoredUser } from "../src/access/users.ts";
import { platformCid } from "../src/store/types/types.ts";
import { allOf } from "./support/all-of.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { minutes } from "./support/manual-clock.ts";
import { nobody, paths, usersSuite, type Session } from "./support/users.ts";
import { type ErrorBody, messages } from "./support/session.ts";

const path = "/user-management/entities/user-actions/v1";

interface Done extends ErrorBody {
  readonly meta: { readonly writes: { readonly resources_affected: number } };
}

const reset = (api: Session, action_name: string, ...ids: readonly string[]) =>
  api.request<Done>("POST", path, { body: { action: { action_name }, ids } });

async function stored({ store, clock }: Session, uuid: string): Promise<StoredUser> {
  const usersById = await store
    .records(users, { cid: platformCid })
    .getComplete([uuid], clock.now());
  const user = usersById.get(uuid);
  if (user === undefined) throw new Error(`no user ${uuid}`);
  return user;
}

/** Second factors are set up at sign-in, which is not part of the platform. */
const setUp = ({ store, clock }: Session, user: StoredUser, ...factors: readonly string[]) =>
  store.write(platformCid, (transaction) =>
    transaction.records(users).replace([{ ...user, factors: [...factors] }], clock.now()),
  );

const mailsTo = ({ store, clock }: Session, to: string) =>
  allOf(
    store
      .records(outbox, { cid: platformCid })
      .scanComplete({ kind: "equal", field: "to", value: to, fold: true }, clock.now()),
  );

withPostgresAtNight((engine) => {
  const suite = usersSuite(engine);

  test("reset_2fa clears the factors, and changes nothing else but the date", async () => {
    const api = await suite.open();
    const a = await api.user("a");
    const b = await api.user("b");
    await setUp(api, await stored(api, a.uuid), "totp", "webauthn");
    const before = await stored(api, a.uuid);
    api.clock.advance(minutes(1));
    const answer = await reset(api, "reset_2fa", a.uuid, b.uuid);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.meta.writes.resources_affected).toBe(2);
    expect(await stored(api, a.uuid)).toEqual({
      ...before,
      factors: [],
      updated_at: api.clock.now().toISOString(),
    });
    expect(await mailsTo(api, a.uid)).toEqual([]);
  });

  test("reset_password invalidates the password and writes a mail to each user", async () => {
    const api = await suite.open();
    const a = await api.user("a");
    const b = await api.user("b");
    expect((await stored(api, a.uuid)).password).toMatch(/^scrypt\$/);
    expect((await reset(api, "reset_password", a.uuid, b.uuid)).status).toBe(200);
    for (const { uuid, uid } of [a, b]) {
      expect(await stored(api, uuid)).not.toHaveProperty("password");
      expect(await stored(api, uuid)).toMatchObject({ status: "active", factors: [] });
      expect(await mailsTo(api, uid)).toMatchObject([
        { kind: "password_reset", cid: api.tenant.cid, to: uid },
      ]);
    }
  });

  test("all or none: every unknown user is reported", async () => {
    const api = await suite.open();
    const other = await suite.open();
    const a = await api.user("a");
    const stranger = await other.user("b");
    await other.give(stranger.uuid, { cid: api.tenant.cid });
    const answer = await reset(api, "reset_password", nobody, a.uuid, stranger.uuid);
    expect(answer.status).toBe(404);
    expect(answer.body.errors.map(({ id }) => id)).toEqual([nobody, stranger.uuid]);
    expect((await stored(api, a.uuid)).password).toBeDefined();
    expect(await mailsTo(api, a.uid)).toEqual([]);
  });

  test("a parent's user with a role here cannot be reset here", async () => {
    const parent = await suite.open();
    const child = await suite.open(parent);
    const a = await parent.user("a");
    await parent.granted(a.uuid, ["event_viewer"], { cid: child.tenant.cid });
    const answer = await reset(child, "reset_2fa", a.uuid);
    expect(answer.status).toBe(403);
    expect(messages(answer)[0]).toContain(`belongs to the tenant ${parent.tenant.cid}`);
    expect((await reset(parent, "reset_2fa", a.uuid)).status).toBe(200);
  });

  test("unknown actions and empty lists cause a 400; an action's value is accepted", async () => {
    const api = await suite.open();
    const a = await api.user("a");
    for (const [action_name, ids] of [
      ["reset_all", [a.uuid]],
      ["reset_2fa", []],
      ["reset_2fa", ["x"]],
    ] as const) {
      expect((await reset(api, action_name, ...ids)).status).toBe(400);
    }
    const answer = await api.request("POST", path, {
      body: { action: { action_name: "reset_2fa", action_value: "x" }, ids: [a.uuid] },
    });
    expect(answer.status).toBe(200);
  });

  test("the audit trail has one entry with the users", async () => {
    const api = await suite.open();
    const a = await api.user("a");
    await reset(api, "reset_2fa", a.uuid);
    const { cid } = api.tenant;
    const [entry] = await api.store.directory.auditEntries({ cid, limit: 1 });
    expect(entry).toMatchObject({ operation: "userActionV1", ids: [a.uuid] });
  });

  test("a user without a password can be reset", async () => {
    const api = await suite.open();
    const a = await api.user("a");
    await reset(api, "reset_password", a.uuid);
    expect((await api.get(paths.get, a.uuid)).body).toMatchObject([{ uid: a.uid }]);
  });
});
