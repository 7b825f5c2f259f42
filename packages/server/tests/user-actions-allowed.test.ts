import type { components } from "@security-platform/spec";
import { expect, test } from "vitest";
import { allowedActions } from "../src/domain/user-management/grants/allowed-actions.ts";
import type { Store } from "../src/store/types/types.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { minutes } from "./support/manual-clock.ts";
import { nobody, usersSuite, type Session } from "./support/users.ts";
import { ahead } from "./support/session.ts";

type Question = components["schemas"]["AllowedActionInput"];
type Allowed = components["schemas"]["AllowedAction"];

const path = "/user-management/entities/user-allowed-actions/v1";

const allowed = async (api: Session, ...allowed_actions: readonly Question[]) => {
  const answer = await api.request<readonly Allowed[]>("POST", path, { body: { allowed_actions } });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

withPostgresAtNight((engine) => {
  const suite = usersSuite(engine);

  test("returns the actions that the roles allow, in the requested order, and omits the others", async () => {
    const api = await suite.open();
    const { cid } = api.tenant;
    const admin = await api.user("admin");
    const helper = await api.user("helper");
    const analyst = await api.user("analyst");
    await api.granted(admin.uuid, ["falconhost_admin"]);
    await api.granted(helper.uuid, ["help_desk"]);
    await api.granted(analyst.uuid, ["falconhost_analyst"]);
    const answer = await allowed(
      api,
      { action: "reset_2fa", uuid: helper.uuid },
      { action: "delete_user", uuid: analyst.uuid },
      { action: "create_user", cid, uuid: admin.uuid },
      { action: "grant_role", uuid: helper.uuid },
      { action: "delete_user", uuid: nobody },
    );
    expect(answer).toEqual([
      { action: "reset_2fa", cid, resource_ids: [], uuid: helper.uuid },
      { action: "create_user", cid, resource_ids: [], uuid: admin.uuid },
    ]);
  });

  test("for several resources: those on which the action is allowed", async () => {
    const api = await suite.open();
    const other = await suite.open();
    const { cid } = api.tenant;
    const { uuid, uid } = await api.user("admin");
    const own = await api.user("own");
    const stranger = await other.user("stranger");
    await other.give(stranger.uuid, { cid });
    await api.granted(uuid, ["falconhost_admin"]);
    const roles = ["help_desk", "nothing", "falconhost_admin"];
    const ids = [stranger.uuid, own.uuid, nobody, uuid];
    expect(
      await allowed(
        api,
        { action: "grant_role", uuid, resource_ids: roles },
        { action: "revoke_role", uuid, resource_ids: ["nothing"] },
        { action: "delete_user", uuid, resource_ids: ids },
        { action: "reset_password", uuid, resource_ids: [stranger.uuid] },
        { action: "create_user", uuid, resource_ids: [uid.toUpperCase(), "new@one.example"] },
      ),
    ).toEqual([
      { action: "grant_role", cid, uuid, resource_ids: ["help_desk", "falconhost_admin"] },
      { action: "delete_user", cid, uuid, resource_ids: [own.uuid, uuid] },
      { action: "create_user", cid, uuid, resource_ids: ["new@one.example"] },
    ]);
  });

  test("only current grants count: an expired grant allows nothing", async () => {
    const api = await suite.open();
    const { uuid } = await api.user("a");
    await api.granted(uuid, ["help_desk"], { expires_at: ahead(api, minutes(5)) });
    expect(await allowed(api, { action: "reset_2fa", uuid })).toHaveLength(1);
    api.clock.advance(minutes(5));
    expect(await allowed(api, { action: "reset_2fa", uuid })).toEqual([]);
  });

  test("in a child, the roles there count; other tenants are omitted", async () => {
    const parent = await suite.open();
    const child = await suite.open(parent);
    const other = await suite.open();
    const { uuid } = await parent.user("a");
    await parent.granted(uuid, ["falconhost_admin"], { cid: child.tenant.cid });
    const ask = (api: Session, cid: string) => allowed(api, { action: "create_user", uuid, cid });
    expect(await ask(parent, parent.tenant.cid)).toEqual([]);
    expect(await ask(parent, child.tenant.cid)).toHaveLength(1);
    expect(await ask(child, child.tenant.cid)).toHaveLength(1);
    expect(await ask(other, child.tenant.cid)).toEqual([]);
    await parent.give(uuid, { role_id: "falconhost_admin" });
    expect(await ask(child, parent.tenant.cid)).toEqual([]);
  });

  test("a parent cannot delete a child's user without a role in the child", async () => {
    const parent = await suite.open();
    const child = await suite.open(parent);
    const { uuid } = await parent.user("admin");
    await parent.granted(uuid, ["falconhost_admin"]);
    const below = await child.user("below");
    const ask = () => allowed(parent, { action: "delete_user", uuid, resource_ids: [below.uuid] });
    expect(await ask()).toEqual([]);
    await child.give(below.uuid, { cid: parent.tenant.cid });
    expect(await ask()).toMatchObject([{ resource_ids: [below.uuid] }]);
  });

  test("an inactive user has no allowed actions", async () => {
    const api = await suite.open();
    const { body } = await api.create({ uid: api.uid("inactive") });
    const uuid = body[0]?.uuid ?? "";
    await api.granted(uuid, ["falconhost_admin"]);
    expect(await allowed(api, { action: "create_user", uuid })).toEqual([]);
  });

  test("many questions about the same tenants look up each tenant once", async () => {
    const parent = await suite.open();
    const child = await suite.open(parent);
    const { cid } = parent.tenant;
    const admin = await parent.user("admin");
    await parent.granted(admin.uuid, ["falconhost_admin"]);
    const below = await child.user("below");
    await parent.granted(below.uuid, ["event_viewer"], { cid: child.tenant.cid });
    await child.give(below.uuid, { cid });
    const lookUps = async (questions: number): Promise<number> => {
      let reads = 0;
      const store = counting(parent.store, () => (reads += 1));
      const answers = await allowedActions(
        { caller: { clientId: "", cid, scopes: [] }, context: { store }, now: parent.clock.now() },
        Array.from({ length: questions }, () => ({
          action: "delete_user" as const,
          uuid: admin.uuid,
          resource_ids: [below.uuid, nobody, below.uid],
        })),
      );
      expect(answers).toHaveLength(questions);
      expect(answers[0]?.resource_ids).toEqual([below.uuid, below.uid]);
      return reads;
    };
    expect(await lookUps(1)).toBe(1);
    expect(await lookUps(20)).toBe(1);
  });
});

/** The store, which reports each look-up of a tenant's ancestors. */
function counting(store: Store, onAncestors: () => void): Store {
  const directory = watched(store.directory, (name) => {
    if (name === "ancestors") onAncestors();
  });
  return new Proxy(store, {
    get: (target, name) => (name === "directory" ? directory : bound(target, name)),
  });
}

const watched = <Target extends object>(
  target: Target,
  onUse: (name: string | symbol) => void,
): Target =>
  new Proxy(target, {
    get: (_, name) => {
      onUse(name);
      return bound(target, name);
    },
  });

function bound(target: object, name: string | symbol): unknown {
  const member: unknown = Reflect.get(target, name, target);
  return typeof member === "function" ? member.bind(target) : member;
}
