import type { components } from "@security-platform/spec";
import { describe, expect, test } from "vitest";
import { maximumPolicyRules, policyRules } from "../src/domain/identity-protection/policy-rules.ts";
import type { TestApi } from "./support/api.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { sharedApi } from "./support/shared-api.ts";

type Schemas = components["schemas"];
type Rule = Schemas["IdentityPolicyRule"];
type Rules = Schemas["IdentityPolicyRulesEnvelope"];

const path = "/identity-protection/entities/policy-rules/v1";
const queryPath = "/identity-protection/queries/policy-rules/v1";

const rule = {
  name: "Second factor",
  action: "MFA",
  trigger: "access",
  enabled: true,
  simulation_mode: false,
} as const;

const conditions = {
  activity: { accessType: { include: ["RDP"] }, accessTypeCustom: { exclude: ["kiosk"] } },
  source_user: { entityId: { include: ["nobody knows it"] }, groupMembership: { exclude: ["g1"] } },
  source_endpoint: { groupMembership: { include: ["g2"] } },
  destination: { entityId: { include: [], exclude: ["e1"] } },
} as const;

async function created(api: TestApi, more: object = {}): Promise<Rule> {
  const answer = await api.request<Rules>("POST", path, { body: { ...rule, ...more } });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.meta.writes).toEqual({ resources_affected: 1 });
  return answer.body.resources[0] as Rule;
}

withPostgresAtNight((engine) => {
  const { open: start } = sharedApi(engine);
  const list = (api: TestApi, query: Record<string, string | boolean> = {}) =>
    api.request<{ resources: readonly string[] }>("GET", queryPath, { query });

  describe("policy rules", () => {
    test("are read as they were created, with an id, in the requested order", async () => {
      const api = await start();
      const plain = await created(api);
      expect(plain).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/) as string, ...rule });
      const full = await created(api, conditions);
      expect(full).toEqual({ id: full.id, ...rule, ...conditions });
      const { status, body } = await api.request<Rules>("GET", path, {
        query: { ids: [full.id, plain.id] },
      });
      expect(status).toBe(200);
      expect(body.resources).toEqual([full, plain]);
      expect(body.errors).toEqual([]);
    });

    test("are disabled by default, because clients omit false, and state whether they are simulated", async () => {
      const api = await start();
      const { enabled: _enabled, simulation_mode: _mode, ...rest } = rule;
      for (const name of ["simulation_mode", "simulationMode", "SimulationMode"]) {
        const answer = await api.request<Rules>("POST", path, { body: { ...rest, [name]: false } });
        expect(answer.body.resources, answer.text).toMatchObject([
          { ...rest, enabled: false, simulation_mode: false },
        ]);
      }
      for (const body of [rest, { ...rest, enabled: true }, { ...rest, simulation_mode: null }]) {
        const answer = await api.request("POST", path, { body });
        expect(answer.status).toBe(400);
        expect(answer.text).toContain("body.simulation_mode");
      }
    });

    test("accept every spelling of the specification and are stored with one", async () => {
      const api = await start();
      const { simulation_mode: _mode, ...rest } = rule;
      const { source_user, source_endpoint } = conditions;
      for (const body of [
        { simulationMode: true, sourceUser: source_user, sourceEndpoint: source_endpoint },
        { SimulationMode: true, SourceUser: source_user, SourceEndpoint: source_endpoint },
        { simulation_mode: true, source_user, source_endpoint },
      ]) {
        const answer = await api.request<Rules>("POST", path, { body: { ...rest, ...body } });
        const { id, ...members } = answer.body.resources[0] as Rule;
        expect(members).toEqual({ ...rest, simulation_mode: true, source_user, source_endpoint });
        expect(id).toHaveLength(32);
      }
      const twice = await api.request("POST", path, { body: { ...rule, SimulationMode: false } });
      expect(twice.status).toBe(400);
      expect(twice.text).toContain("body.SimulationMode");
    });

    const refused = [
      ["no name", { name: undefined }, /body\.name/],
      ["no action", { action: undefined }, /body\.action/],
      ["no trigger", { trigger: undefined }, /body\.trigger/],
      ["an action in another case", { action: "mfa" }, /MFA/],
      ["an unknown trigger", { trigger: "login" }, /federatedAccess/],
      ["a text for a boolean", { enabled: "yes" }, /body\.enabled/],
      ["an unknown member", { priority: 1 }, /priority/],
      ["an unknown condition", { destination: { name: {} } }, /destination\.name/],
      ["a value twice", { activity: { accessType: { include: ["a", "a"] } } }, /include/],
      ...[
        "activity.accessType",
        "activity.accessTypeCustom",
        "source_user.entityId",
        "source_endpoint.groupMembership",
        "destination.entityId",
      ].map((place) => {
        const [part = "", name = ""] = place.split(".");
        return [
          `a value on both sides of ${place}`,
          { [part]: { [name]: { include: ["a", "b"], exclude: ["c", "b"] } } },
          new RegExp(String.raw`body\.${place}\.exclude\[1\]: b is also in include`),
        ] as const;
      }),
    ] as const;
    test("that are invalid are rejected, and nothing is stored", async () => {
      const api = await start();
      for (const [name, change, message] of refused) {
        const answer = await api.request("POST", path, { body: { ...rule, ...change } });
        expect([name, answer.status]).toEqual([name, 400]);
        expect(answer.text).toMatch(message);
      }
      expect((await list(api)).body.resources).toEqual([]);
    });

    test("are listed by their values, oldest first", async () => {
      const api = await start();
      const first = await created(api);
      const second = await created(api, { name: "second FACTOR", enabled: false });
      const third = await created(api, { name: "Third", simulation_mode: true });
      const ids = async (query: Record<string, string | boolean>) =>
        (await list(api, query)).body.resources;
      expect(await ids({})).toEqual([first.id, second.id, third.id]);
      expect(await ids({ enabled: true })).toEqual([first.id, third.id]);
      expect(await ids({ enabled: false })).toEqual([second.id]);
      expect(await ids({ simulation_mode: true })).toEqual([third.id]);
      expect(await ids({ name: "SECOND factor" })).toEqual([first.id, second.id]);
      expect(await ids({ name: "second factor", enabled: true })).toEqual([first.id]);
      expect(await ids({ name: "second" })).toEqual([]);
      expect((await list(api, { enabled: "yes" })).status).toBe(400);
      expect((await list(api, { name: "" })).status).toBe(400);
    });

    test("are deleted all or none, with an audit entry", async () => {
      const api = await start();
      const [first, second] = [await created(api), await created(api)];
      const missing = "0".repeat(32);
      const remove = (ids: readonly string[]) => api.request("DELETE", path, { query: { ids } });
      const none = await remove([first.id, missing]);
      expect(none.status).toBe(404);
      expect(none.body).toMatchObject({ errors: [{ code: 404, id: missing }] });
      expect((await list(api)).body.resources).toHaveLength(2);
      const both = await remove([first.id, second.id]);
      expect(both.status).toBe(200);
      expect(both.body).toMatchObject({
        meta: { writes: { resources_affected: 2 } },
        resources: [],
      });
      const removed = await api.request("GET", path, { query: { ids: [first.id] } });
      expect(removed.status).toBe(404);
      const trail = await api.store.directory.auditEntries({ cid: api.tenant.cid, limit: 3 });
      expect(trail.map(({ operation, ids }) => [operation, ids])).toEqual([
        ["delete_policy_rules", [first.id, second.id]],
        ["post_policy_rules", [second.id]],
        ["post_policy_rules", [first.id]],
      ]);
    });

    test.each(["GET", "DELETE"])("%s takes 1 to 100 different ids", async (method) => {
      const api = await start();
      const one = await created(api);
      const ids = Array.from({ length: 101 }, (_, at) => at.toString(16).padStart(32, "0"));
      for (const query of [{}, { ids }, { ids: [one.id, one.id] }, { ids: ["x"] }]) {
        const answer = await api.request(method, path, { query });
        expect([query, answer.status]).toEqual([query, 400]);
      }
    });

    test("a missing one causes a 404 that includes the others", async () => {
      const api = await start();
      const one = await created(api);
      const missing = "f".repeat(32);
      const answer = await api.request("GET", path, { query: { ids: [missing, one.id] } });
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ resources: [one], errors: [{ id: missing }] });
    });

    test("belong to the tenant alone", async () => {
      const api = await start();
      const one = await created(api);
      const { token } = await api.newTenant("other");
      const query = { ids: [one.id] };
      expect((await api.request("GET", path, { token, query })).status).toBe(404);
      expect((await api.request("DELETE", path, { token, query })).status).toBe(404);
      expect((await api.request("GET", queryPath, { token })).body).toMatchObject({
        resources: [],
      });
      expect((await list(api)).body.resources).toEqual([one.id]);
    });

    test(`are ${maximumPolicyRules} at most`, async () => {
      const api = await start();
      const author = { cid: api.tenant.cid, actor: "test", now: api.clock.now() };
      const many = Array.from({ length: maximumPolicyRules - 1 }, () =>
        policyRules.make(rule, author),
      );
      await api.store.write(api.tenant.cid, (transaction) =>
        transaction.records(policyRules.resource).insert(many, api.clock.now()),
      );
      await created(api);
      const answer = await api.request("POST", path, { body: rule });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(String(maximumPolicyRules));
      expect((await list(api)).body.resources).toHaveLength(maximumPolicyRules);
    });
  });
});
