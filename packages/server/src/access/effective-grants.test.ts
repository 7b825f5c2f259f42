import { expect, test } from "vitest";
import { effectiveGrants } from "./effective-grants.ts";
import type { TenantGroup, UserGroup } from "./groups.ts";
import { tenantAccessOf } from "../domain/user-management/tenants/tenant-access.ts";
import type { DirectGrant } from "./users.ts";

const now = new Date("2026-03-01T12:00:00.000Z");
const noGroups = { userGroups: [], tenantGroups: [] };
const uuid = "c2e94d07-13b6-4f8a-b5d1-7a90e6c3f248";

const direct = (cid: string, expires_at?: string): DirectGrant => ({
  cid,
  role_id: "falconhost_analyst",
  granted_at: "2026-01-01T00:00:00.000Z",
  ...(expires_at === undefined ? {} : { expires_at }),
});

const team: UserGroup = {
  id: "1",
  cid: "parent",
  name: "Team",
  user_uuids: ["another", uuid],
  role_ids: ["help_desk"],
};

const children: TenantGroup = {
  id: "2",
  cid: "parent",
  name: "Children",
  cids: ["a", "b"],
  grants: [
    { user_group_id: "1", role_ids: ["falconhost_admin"] },
    { user_group_id: "unknown", role_ids: ["event_viewer"] },
  ],
};

test.each([
  ["2026-03-01T12:00:00.001Z", 1],
  ["2026-03-01T12:00:00.000Z", 0],
  ["2026-03-01T12:00:00Z", 0],
  ["2026-03-01T13:30:00.001+01:30", 1],
  ["2026-02-01T00:00:00.000Z", 0],
])("a direct grant until %s", (expires_at, count) => {
  const user = { uuid, grants: [direct("a", expires_at)] };
  expect(effectiveGrants(user, noGroups, now)).toHaveLength(count);
});

test("user groups grant roles to their members, tenant groups in each of their tenants", () => {
  const groups = { userGroups: [team], tenantGroups: [children] };
  const held = effectiveGrants({ uuid, grants: [direct("c")] }, groups, now);
  expect(held.map(({ cid, grant_type, role_id }) => [cid, grant_type, role_id])).toEqual([
    ["c", "direct", "falconhost_analyst"],
    ["parent", "user_group", "help_desk"],
    ["a", "cid_group", "falconhost_admin"],
    ["b", "cid_group", "falconhost_admin"],
  ]);
  expect(effectiveGrants({ uuid: "stranger", grants: [] }, groups, now)).toEqual([]);
});

test("the members derived from grants", () => {
  const soon = "2026-03-02T00:00:00.000Z";
  const groups = { userGroups: [team], tenantGroups: [children] };
  const grants = [
    direct("z", "2026-04-01T00:00:00.000Z"),
    { ...direct("a", soon), role_id: "falconhost_admin" },
    { ...direct("d", soon), role_id: "falconhost_admin" },
  ];
  expect(tenantAccessOf("home", effectiveGrants({ uuid, grants }, groups, now))).toEqual({
    assigned_cids: ["a", "b", "d", "parent", "z"],
    direct_assigned_cids: ["a", "d", "z"],
    associated_cids: ["a", "b", "d", "home", "parent", "z"],
    temporarily_assigned_cids: ["a", "d", "z"],
    first_temporary_cid: "a",
    has_temporary_roles: true,
    administered_cids: ["a", "b", "d"],
    lastingly_administered_cids: ["a", "b"],
    next_expiry: soon,
  });
  expect(tenantAccessOf("home", [])).toEqual({
    assigned_cids: [],
    direct_assigned_cids: [],
    associated_cids: ["home"],
    temporarily_assigned_cids: [],
    has_temporary_roles: false,
    administered_cids: [],
    lastingly_administered_cids: [],
  });
});
