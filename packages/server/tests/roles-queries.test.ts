import type { components } from "@security-platform/spec";
import { expect, test } from "vitest";
import { roleDefinitions } from "../src/access/roles.ts";
import { forEachEngine } from "./support/engines.ts";
import { minutes } from "./support/manual-clock.ts";
import { nobody, usersSuite, type Session } from "./support/users.ts";
import { type ErrorBody, ahead, messages } from "./support/session.ts";

type Role = components["schemas"]["Role"];

const paths = {
  query: "/user-management/queries/roles/v1",
  get1: "/user-management/entities/roles/v1",
  get2: "/user-management/entities/roles/GET/v2",
  legacyGet: "/user-roles/entities/user-roles/v1",
  legacyQuery: "/user-roles/queries/user-role-ids-by-cid/v1",
} as const;

const all = roleDefinitions.map(({ role }) => role.id);

const listed = async (
  api: Session,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> => {
  const answer = await api.request<readonly string[]>("GET", paths.query, { query });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

forEachEngine((engine) => {
  const suite = usersSuite(engine);

  test("every tenant has the platform's roles, in text order", async () => {
    const api = await suite.open();
    expect(await listed(api)).toEqual(all);
    expect(all).toEqual(all.toSorted());
    expect(all).toContain("falconhost_admin");
    const legacy = await api.request("GET", paths.legacyQuery);
    expect(legacy.body).toEqual(all);
    expect(legacy.headers.get("deprecation")).not.toBeNull();
  });

  test("for a user: only roles that can be granted, or only those that can be revoked", async () => {
    const api = await suite.open();
    const { uuid } = await api.user("a");
    const roles = (action?: string) =>
      listed(api, { user_uuid: uuid, ...(action === undefined ? {} : { action }) });
    expect(await roles()).toEqual(all);
    expect(await roles("revoke")).toEqual([]);
    await api.granted(uuid, ["event_viewer"]);
    await api.granted(uuid, ["help_desk"], { expires_at: ahead(api, minutes(5)) });
    await api.userGroup({ user_uuids: [uuid], role_ids: ["xdr_admin"] });
    expect(await roles("revoke")).toEqual(["event_viewer", "help_desk"]);
    expect(await roles()).toEqual(all.filter((id) => id !== "event_viewer" && id !== "help_desk"));
    api.clock.advance(minutes(5));
    expect(await roles("revoke")).toEqual(["event_viewer"]);
    expect(await roles("grant")).toContain("help_desk");
  });

  test("in a child: only roles that are held there", async () => {
    const parent = await suite.open();
    const child = await suite.open(parent);
    const { uuid } = await parent.user("a");
    await parent.granted(uuid, ["event_viewer"]);
    await parent.granted(uuid, ["help_desk"], { cid: child.tenant.cid });
    const query = { user_uuid: uuid, action: "revoke" };
    expect(await listed(parent, query)).toEqual(["event_viewer"]);
    expect(await listed(parent, { ...query, cid: child.tenant.cid })).toEqual(["help_desk"]);
  });

  test("an unknown user causes a 400, an unrelated tenant a 403", async () => {
    const api = await suite.open();
    const other = await suite.open();
    const stranger = await other.user("a");
    for (const user_uuid of [nobody, stranger.uuid]) {
      const answer = await api.request<ErrorBody>("GET", paths.query, { query: { user_uuid } });
      expect(answer.status).toBe(400);
      expect(messages(answer)[0]).toContain("invalid user uuid");
    }
    const cid = other.tenant.cid;
    for (const path of [paths.query, `${paths.get1}?ids=help_desk`]) {
      const joined = path.includes("?") ? `${path}&cid=${cid}` : `${path}?cid=${cid}`;
      expect((await api.request("GET", joined)).status).toBe(403);
    }
    const body = { ids: ["help_desk"] };
    expect((await api.request("POST", `${paths.get2}?cid=${cid}`, { body })).status).toBe(403);
  });

  test("roles by id are in the requested order without duplicates, in three formats", async () => {
    const api = await suite.open();
    const ids = ["help_desk", "event_viewer", "help_desk"];
    const role = {
      id: "help_desk",
      display_name: "Help Desk",
      description: expect.stringContaining("second factors"),
    };
    const answers = [
      await api.request<readonly Role[]>("GET", paths.get1, { query: { ids } }),
      await api.request<readonly Role[]>("POST", paths.get2, { body: { ids } }),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body.map(({ id }) => id)).toEqual(["help_desk", "event_viewer"]);
      expect(body[0]).toEqual({ ...role, is_global: true, type: "default" });
    }
    const legacy = await api.request<readonly Role[]>("GET", paths.legacyGet, { query: { ids } });
    expect(legacy.body[0]).toEqual(role);
  });

  test("the 404 names unknown roles, and includes the known ones", async () => {
    const api = await suite.open();
    const ids = ["nobody", "help_desk", "no_one", "nobody"];
    const answers = [
      await api.request<ErrorBody>("GET", paths.get1, { query: { ids } }),
      await api.request<ErrorBody>("POST", paths.get2, { body: { ids } }),
      await api.request<ErrorBody>("GET", paths.legacyGet, { query: { ids } }),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(404);
      expect(body.errors).toEqual([
        { code: 404, id: "nobody", message: "role nobody not found" },
        { code: 404, id: "no_one", message: "role no_one not found" },
      ]);
      expect(body.resources).toMatchObject([{ id: "help_desk" }]);
    }
  });
});
