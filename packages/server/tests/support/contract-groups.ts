import type { JsonObject } from "@security-platform/contract-tests";
import { expect } from "vitest";
import { importRecords } from "../../src/imports/index.ts";
import type { TestApi } from "./api.ts";

/**
 * A host group of all hosts, and records that no operation creates directly: tenant groups with a
 * tenant, and groups through which another tenant below has its only administrator.
 */
export async function tenantGroupsAndAdministrators(api: TestApi) {
  const { store, tenant, clock } = api;
  const child = await api.newTenant("child", tenant);
  const administered = await api.newTenant("administered", tenant);
  const [user] = await created(api, "/user-management/entities/users/v1", {
    uid: "group-administrator@known.example",
    password: "Quiet-harbour-1897",
  });
  const uuid = String(user?.["uuid"]);
  const ids = { user: "a".repeat(32), tenant: "b".repeat(32) };
  const userGroup = { id: ids.user, name: "Below", users: [uuid], role_ids: ["help_desk"] };
  const tenantGroup = {
    id: ids.tenant,
    name: "Administered",
    cids: [administered.tenant.cid],
    grants: [{ user_group: ids.user, role_ids: ["falconhost_admin"] }],
  };
  const hostGroup = {
    name: "All hosts",
    group_type: "dynamic",
    assignment_rule: "hostname:*'contract-*'",
  };
  const imported = (kind: "host-groups" | "user-groups" | "tenant-groups", line: object) =>
    importRecords(store, { cid: tenant.cid, kind, lines: [JSON.stringify(line)], clock });
  const success = { imported: 1, rejected: 0 };
  expect(await imported("host-groups", hostGroup)).toMatchObject(success);
  expect(await imported("user-groups", userGroup)).toMatchObject(success);
  expect(await imported("tenant-groups", tenantGroup)).toMatchObject(success);
  const groups = await created(api, "/mssp/entities/cid-groups/v1", {
    resources: [{ name: "With a tenant" }, { name: "To empty" }],
  });
  const members = groups.map(({ cid_group_id }) => ({ cid_group_id, cids: [child.tenant.cid] }));
  await created(api, "/mssp/entities/cid-group-members/v1", { resources: members });
  return {
    "tenant-groups-with-members": members.slice(0, 1),
    "tenant-groups-to-empty": members.slice(1),
    "administering-user-groups": [{ user_group_id: ids.user, user_uuids: [uuid] }],
    "administering-tenant-groups": [{ cid_group_id: ids.tenant, cids: [administered.tenant.cid] }],
  };
}

async function created(api: TestApi, path: string, body: object): Promise<readonly JsonObject[]> {
  const answer = await api.request<readonly JsonObject[]>("POST", path, { body });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
}
