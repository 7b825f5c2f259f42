import { expect, test } from "vitest";
import { allowUidDomains } from "../src/domain/user-management/users/uid-domains.ts";
import { outbox } from "../src/mail/outbox.ts";
import { users } from "../src/access/users.ts";
import { platformCid } from "../src/store/types/types.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { minutes } from "./support/manual-clock.ts";
import { nobody, password, paths, usersSuite, type Session, type User } from "./support/users.ts";
import { type ErrorBody, messages } from "./support/session.ts";

const mailsTo = async ({ store, clock }: Session, to: string) => {
  const predicate = { kind: "equal", field: "to", value: to, fold: true } as const;
  const records = store.records(outbox, { cid: platformCid });
  const mails: string[] = [];
  for await (const batch of records.scanComplete(predicate, clock.now())) {
    mails.push(...batch.map((mail) => JSON.stringify(mail)));
  }
  return mails;
};

withPostgresAtNight((engine) => {
  const suite = usersSuite(engine);

  test("a user with a password is active, and the response contains the created user", async () => {
    const api = await suite.open();
    const uid = api.uid("Tomas.Okafor");
    const answer = await api.create({ uid, first_name: "Tomas", last_name: "Okafor", password });
    expect(answer.status).toBe(201);
    const now = api.clock.now().toISOString();
    const [user] = answer.body;
    expect(user).toEqual({
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      uid,
      cid: api.tenant.cid,
      first_name: "Tomas",
      last_name: "Okafor",
      status: "active",
      user_type: "internal",
      factors: [],
      access_granted_at: now,
      created_at: now,
      updated_at: now,
    });
    expect((await api.get(paths.get, user?.uuid ?? "")).text).toBe(answer.text);
    expect((await api.get(paths.getAll, user?.uuid ?? "")).text).toBe(answer.text);
    expect(await mailsTo(api, uid)).toEqual([]);
    expect(await api.grants(user?.uuid ?? "")).toEqual([]);
  });

  test("without a password the user is inactive and gets one mail", async () => {
    const api = await suite.open();
    const answer = await api.create({ uid: api.uid("a") });
    expect(answer.body[0]).toMatchObject({ status: "inactive" });
    expect(answer.body[0]).not.toHaveProperty("first_name");
    const mails = await mailsTo(api, api.uid("a"));
    expect(mails.map((text) => JSON.parse(text) as unknown)).toEqual([
      expect.objectContaining({ kind: "activation", cid: api.tenant.cid, to: api.uid("a") }),
    ]);
  });

  test("the password is stored as a scrypt hash, and is in no response and no audit entry", async () => {
    const api = await suite.open();
    const { uuid } = await api.user("a");
    const records = api.store.records(users, { cid: platformCid });
    const stored = (await records.getComplete([uuid], api.clock.now())).get(uuid);
    expect(stored?.password).toMatch(/^scrypt\$1024\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    const served = (await api.get(paths.get, uuid)).text;
    const trail = await api.store.directory.auditEntries({ cid: api.tenant.cid, limit: 10 });
    expect(trail).toMatchObject([{ operation: "createUserV1", ids: [uuid] }]);
    expect(served + JSON.stringify(trail)).not.toMatch(/scrypt|horse/);
  });

  test("validate_only checks everything and changes nothing", async () => {
    const api = await suite.open();
    const body = { uid: api.uid("a") };
    const checked = await api.create(body, { validate_only: true });
    expect([checked.status, checked.body]).toEqual([201, []]);
    expect(await api.found()).toEqual([]);
    expect(await mailsTo(api, body.uid)).toEqual([]);
    await api.user("a");
    expect((await api.create(body, { validate_only: true })).status).toBe(409);
    const weak = { uid: api.uid("b"), password: "correct-horse-7" };
    expect((await api.create(weak, { validate_only: true })).status).toBe(400);
  });

  test("an existing address, ignoring case, causes a 409 that does not name another tenant's user", async () => {
    const [api, other] = [await suite.open(), await suite.open()];
    const user = await api.user("Same");
    const duplicate = { uid: api.uid("sAME"), password };
    const own = await api.create<ErrorBody>(duplicate);
    expect(own.status).toBe(409);
    expect(own.body.errors).toMatchObject([{ id: user.uuid }]);
    expect(messages(own)[0]).toMatch(/^body\.uid: a user sAME@\S+ already exists/);
    const foreign = await other.create<ErrorBody>(duplicate);
    expect(foreign.status).toBe(409);
    expect(foreign.text).not.toContain(user.uuid);
    expect(foreign.text).not.toContain(api.tenant.cid);
    expect(await api.found()).toEqual(["Same"]);
    expect(await other.found()).toEqual([]);
  });

  test("of concurrent creations of one address exactly one succeeds", async () => {
    const sessions = [await suite.open(), await suite.open(), await suite.open()];
    const uid = sessions[0]?.uid("race") ?? "";
    const answers = await Promise.all(
      [...sessions, ...sessions].map((api) => api.create({ uid, password })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  test.each([
    ["correct-horse-7", /^body\.password: also expected an upper-case letter$/],
    ["Correct-horse-x", /^body\.password: also expected a digit$/],
    ["Correcthorse77", /^body\.password: also expected one of/],
    ["Short-7", /^body\.password: .*12/],
  ])("the password %s", async (weak, message) => {
    const api = await suite.open();
    const answer = await api.create<ErrorBody>({ uid: api.uid("a"), password: weak });
    expect(answer.status).toBe(400);
    expect(messages(answer)).toEqual([expect.stringMatching(message)]);
    expect(answer.text).not.toContain(weak);
    expect(await api.found()).toEqual([]);
  });

  test("all schema violations are reported at once", async () => {
    const api = await suite.open();
    const answer = await api.create<ErrorBody>({ uid: "no address", first_nam: "x", cid: "1" });
    expect(answer.status).toBe(400);
    expect(messages(answer).join("\n")).toMatch(/first_nam.*did you mean first_name.*\nbody\.uid/);
    expect(messages(answer)).toHaveLength(3);
  });

  test("cid: the caller's tenant or one below it", async () => {
    const api = await suite.open();
    const child = await suite.open(api);
    const grandchild = await suite.open(child);
    const created = await api.user("deep", { cid: grandchild.tenant.cid });
    expect(created.cid).toBe(grandchild.tenant.cid);
    expect(await grandchild.found()).toEqual(["deep"]);
    expect(await api.found()).toEqual([]);
    for (const cid of [api.tenant.cid, (await suite.open()).tenant.cid, "f".repeat(32)]) {
      const answer = await child.create<ErrorBody>({ uid: child.uid("x"), cid });
      expect(answer.status).toBe(403);
      expect(messages(answer)[0]).toMatch(/^body\.cid: /);
    }
    expect(await child.found()).toEqual([]);
  });

  test("a tenant with a list of domains allows no others", async () => {
    const api = await suite.open();
    const allow = (...domains: readonly string[]) =>
      allowUidDomains(api.store, api.tenant.cid, domains, api.clock.now());
    await allow("Corp.example", "partner.example");
    const refused = await api.create<ErrorBody>({ uid: api.uid("a") });
    expect(refused.status).toBe(400);
    expect(messages(refused)).toEqual([
      expect.stringMatching(/^body\.uid: .* t\d+\.example; expected one at corp\.example or/),
    ]);
    expect((await api.create({ uid: `a.${api.tenant.cid}@corp.EXAMPLE` })).status).toBe(201);
    await allow();
    expect((await api.create({ uid: api.uid("a") })).status).toBe(201);
  });

  test("names change, other members stay", async () => {
    const api = await suite.open();
    const user = await api.user("a", { first_name: "Ann" });
    api.clock.advance(minutes(1));
    const patch = (uuid: string, body: object) =>
      api.request<readonly User[]>("PATCH", paths.users, { query: { user_uuid: uuid }, body });
    const answer = await patch(user.uuid, { last_name: "Lee" });
    expect(answer.status).toBe(200);
    const updated_at = api.clock.now().toISOString();
    expect(answer.body).toEqual([{ ...user, last_name: "Lee", updated_at }]);
    expect(await api.found({ filter: "name:'ann lee'" })).toEqual(["a"]);
    expect((await api.get(paths.get, user.uuid)).text).toBe(answer.text);
    expect((await patch(user.uuid, {})).status).toBe(400);
    expect((await patch(user.uuid, { uid: api.uid("b") })).status).toBe(400);
    expect((await patch(nobody, { last_name: "Lee" })).status).toBe(404);
    expect((await patch("x", { last_name: "Lee" })).status).toBe(400);
  });

  test("a deleted user is deleted permanently; the same address is a new user without grants", async () => {
    const api = await suite.open();
    const { uuid } = await api.user("a");
    await api.granted(uuid, ["falconhost_analyst"]);
    const group = await api.userGroup({ user_uuids: [uuid], role_ids: ["help_desk"] });
    const remove = () => api.request("DELETE", paths.users, { query: { user_uuid: uuid } });
    const answer = await remove();
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ meta: { writes: { resources_affected: 1 } } });
    expect((await remove()).status).toBe(404);
    expect((await api.get(paths.getAll, uuid)).status).toBe(404);
    expect(await api.found()).toEqual([]);
    const again = await api.user("a");
    expect(again.uuid).not.toBe(uuid);
    expect(await api.grants(again.uuid)).toEqual([]);
    await api.userGroup({ ...group, name: "Others", user_uuids: [again.uuid] });
    expect(await api.grants(again.uuid)).toHaveLength(1);
  });

  test("users of other tenants are not found by id; the 404 includes the found ones", async () => {
    const [api, other] = [await suite.open(), await suite.open()];
    const [ownUser, foreignUser] = [await api.user("a"), await other.user("b")];
    for (const path of [paths.get, paths.getAll]) {
      const answer = await api.get<ErrorBody>(
        path,
        foreignUser.uuid,
        ownUser.uuid,
        nobody,
        ownUser.uuid,
      );
      expect(answer.status).toBe(404);
      expect(answer.body.errors.map(({ id }) => id)).toEqual([foreignUser.uuid, nobody]);
      expect(answer.body.resources).toEqual([ownUser]);
    }
    const query = { user_uuid: foreignUser.uuid };
    const patched = await api.request("PATCH", paths.users, { query, body: { last_name: "x" } });
    expect(patched.status).toBe(404);
    expect((await api.request("DELETE", paths.users, { query })).status).toBe(404);
    expect((await other.get(paths.get, foreignUser.uuid)).body).toEqual([foreignUser]);
  });

  test("a child tenant sees a parent's user with a role there and cannot change or delete that user", async () => {
    const api = await suite.open();
    const child = await suite.open(api);
    const user = await api.user("a");
    await api.granted(user.uuid, ["falconhost_analyst"], { cid: child.tenant.cid });
    expect((await child.get(paths.get, user.uuid)).body).toMatchObject([
      { user_type: "internal", cid: api.tenant.cid },
    ]);
    const query = { user_uuid: user.uuid };
    const patched = await child.request("PATCH", paths.users, { query, body: { last_name: "x" } });
    expect(patched.status).toBe(403);
    expect((await child.request("DELETE", paths.users, { query })).status).toBe(403);
    expect(await api.found()).toEqual(["a"]);
  });
});
