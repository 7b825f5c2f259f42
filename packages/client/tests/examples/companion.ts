import { expect } from "vitest";
import { filters, type OperationId } from "../../src/index.ts";
import type { Examples, World } from "./example.ts";

const groups = filters["host-groups"];
const like = (members: object): unknown => expect.objectContaining(members);
const listWith = (...members: readonly unknown[]): unknown => expect.arrayContaining([...members]);

const laptop = {
  device_id: "1".repeat(32),
  hostname: "LAPTOP-1",
  platform_name: "Windows",
  tags: ["lab"],
} as const;

const laptopImported = ({ server, tenant }: World): Promise<void> =>
  server.importRecords(tenant, "hosts", [laptop]);

const rule = filters.hosts.where("tags").equals("lab");

/** A dynamic group of hosts; returns its id. */
async function labGroup({ client }: World): Promise<string> {
  const { data } = await client.companion.createHostGroups({
    body: { resources: [{ name: "Lab", group_type: "dynamic", assignment_rule: rule }] },
  });
  return data[0]?.id ?? "";
}

/** A user group; returns its id. */
async function analysts({ client }: World): Promise<string> {
  const { data } = await client.companion.createUserGroups({
    body: { resources: [{ name: "Analysts" }] },
  });
  return data[0]?.user_group_id ?? "";
}

/** A user group with a member. */
async function analystsWithMember(world: World) {
  const user_group_id = await analysts(world);
  const { data } = await world.client.userManagement.createUser({
    body: { uid: `ana@${world.tenant.cid.slice(0, 12)}.example` },
  });
  const user_uuids = [data[0]?.uuid ?? ""];
  const entry = { user_group_id, user_uuids };
  await world.client.companion.addUserGroupMembers({ body: { resources: [entry] } });
  return entry;
}

/** A tenant group; returns its id. */
async function sites({ client }: World): Promise<string> {
  const { data } = await client.companion.createTenantGroups({
    body: { resources: [{ name: "Sites" }] },
  });
  return data[0]?.cid_group_id ?? "";
}

/** A tenant group with a tenant. */
async function sitesWithTenant(world: World) {
  const cid_group_id = await sites(world);
  const { cid } = await world.server.newTenant(world.tenant);
  const entry = { cid_group_id, cids: [cid] };
  await world.client.companion.addTenantGroupMembers({ body: { resources: [entry] } });
  return entry;
}

export const companionExamples = {
  GetSensorInstallersCCIDByQuery: ({ tenant }) => ({
    input: {},
    expected: [expect.stringMatching(new RegExp(`^${tenant.cid.toUpperCase()}-[0-9A-F]{2}$`))],
  }),
  createHostGroups: () => ({
    input: { body: { resources: [{ name: "Kiosks", group_type: "static" }] } },
    expected: [like({ name: "Kiosks", assignment_rule: "device_id:[''],hostname:['']" })],
  }),
  updateHostGroups: async (world) => {
    const id = await labGroup(world);
    return {
      input: { body: { resources: [{ id, name: "Laboratory" }] } },
      expected: [like({ id, name: "Laboratory", assignment_rule: "tags:'lab'" })],
    };
  },
  deleteHostGroups: async (world) => {
    const id = await labGroup(world);
    return { input: { ids: [id] }, expected: [id] };
  },
  getHostGroups: async (world) => {
    const id = await labGroup(world);
    return { input: { ids: [id] }, expected: [like({ id, group_type: "dynamic" })] };
  },
  performGroupAction: async (world) => {
    await laptopImported(world);
    const { data } = await world.client.companion.createHostGroups({
      body: { resources: [{ name: "Kiosks", group_type: "static" }] },
    });
    const id = data[0]?.id ?? "";
    return {
      input: {
        action_name: "add-hosts",
        body: { ids: [id], action_parameters: [{ name: "filter", value: rule }] },
      },
      expected: [like({ id, assignment_rule: "device_id:[''],hostname:['LAPTOP-1']" })],
    };
  },
  queryHostGroups: async (world) => {
    const id = await labGroup(world);
    return {
      input: { filter: groups.where("name").equals("lab"), sort: ["name.asc"] },
      expected: [id],
    };
  },
  queryCombinedHostGroups: async (world) => {
    const id = await labGroup(world);
    return {
      input: { filter: groups.where("group_type").equals("dynamic") },
      expected: [like({ id })],
    };
  },
  queryGroupMembers: async (world) => {
    await laptopImported(world);
    const id = await labGroup(world);
    return { input: { id }, expected: [laptop.device_id] };
  },
  queryCombinedGroupMembers: async (world) => {
    await laptopImported(world);
    const id = await labGroup(world);
    return { input: { id }, expected: [like({ ...laptop, groups: [id] })] };
  },
  QueryDevicesByFilter: async (world) => {
    await laptopImported(world);
    return { input: { filter: rule }, expected: [laptop.device_id] };
  },
  QueryDevicesByFilterScroll: async (world) => {
    await laptopImported(world);
    return { input: { filter: rule }, expected: [laptop.device_id] };
  },
  GetDeviceDetailsV2: async (world) => {
    await laptopImported(world);
    return { input: { ids: [laptop.device_id] }, expected: [like(laptop)] };
  },
  PostDeviceDetailsV2: async (world) => {
    await laptopImported(world);
    return { input: { body: { ids: [laptop.device_id] } }, expected: [like(laptop)] };
  },
  createUserGroups: ({ tenant }) => ({
    input: { body: { resources: [{ name: "Analysts", description: "On call" }] } },
    expected: [like({ cid: tenant.cid, name: "Analysts", description: "On call" })],
  }),
  updateUserGroups: async (world) => {
    const user_group_id = await analysts(world);
    return {
      input: { body: { resources: [{ user_group_id, description: "On call" }] } },
      expected: [like({ user_group_id, name: "Analysts", description: "On call" })],
    };
  },
  deleteUserGroups: async (world) => {
    const id = await analysts(world);
    return { input: { user_group_ids: [id] }, expected: [id] };
  },
  getUserGroupsByID: async (world) => {
    const user_group_id = await analysts(world);
    return {
      input: { user_group_ids: [user_group_id] },
      expected: [like({ user_group_id, name: "Analysts" })],
    };
  },
  getUserGroupsByIDV2: async (world) => {
    const user_group_id = await analysts(world);
    return {
      input: { ids: [user_group_id] },
      expected: [like({ user_group_id, name: "Analysts" })],
    };
  },
  addUserGroupMembers: async (world) => {
    const entry = await analystsWithMember(world);
    return { input: { body: { resources: [entry] } }, expected: [entry] };
  },
  deleteUserGroupMembers: async (world) => {
    const entry = await analystsWithMember(world);
    return {
      input: { body: { resources: [entry] } },
      expected: [{ ...entry, user_uuids: [] }],
    };
  },
  getUserGroupMembersByID: async (world) => {
    const entry = await analystsWithMember(world);
    return { input: { user_group_ids: [entry.user_group_id] }, expected: [entry] };
  },
  getUserGroupMembersByIDV2: async (world) => {
    const entry = await analystsWithMember(world);
    return { input: { ids: [entry.user_group_id] }, expected: [entry] };
  },
  queryUserGroups: async (world) => {
    const id = await analysts(world);
    return { input: { name: "analysts", sort: ["name.asc"] }, expected: [id] };
  },
  queryUserGroupMembers: async (world) => {
    const { user_group_id, user_uuids } = await analystsWithMember(world);
    return {
      input: { user_uuid: user_uuids[0] ?? "" },
      expected: [user_group_id],
    };
  },
  createCIDGroups: ({ tenant }) => ({
    input: { body: { resources: [{ name: "Sites" }] } },
    expected: [like({ cid: tenant.cid, name: "Sites", description: "" })],
  }),
  updateCIDGroups: async (world) => {
    const cid_group_id = await sites(world);
    return {
      input: { body: { resources: [{ cid_group_id, name: "Harbours" }] } },
      expected: [like({ cid_group_id, name: "Harbours" })],
    };
  },
  deleteCIDGroups: async (world) => {
    const id = await sites(world);
    return { input: { cid_group_ids: [id] }, expected: [id] };
  },
  getCIDGroupById: async (world) => {
    const cid_group_id = await sites(world);
    return {
      input: { cid_group_ids: [cid_group_id] },
      expected: [like({ cid_group_id })],
    };
  },
  getCIDGroupByIdV2: async (world) => {
    const cid_group_id = await sites(world);
    return { input: { ids: [cid_group_id] }, expected: [like({ cid_group_id })] };
  },
  addCIDGroupMembers: async (world) => {
    const entry = await sitesWithTenant(world);
    return { input: { body: { resources: [entry] } }, expected: [entry] };
  },
  deleteCIDGroupMembers: async (world) => {
    const entry = await sitesWithTenant(world);
    return { input: { body: { resources: [entry] } }, expected: [{ ...entry, cids: [] }] };
  },
  deleteCIDGroupMembersV2: async (world) => {
    const entry = await sitesWithTenant(world);
    return { input: { body: { resources: [entry] } }, expected: [{ ...entry, cids: [] }] };
  },
  getCIDGroupMembersBy: async (world) => {
    const entry = await sitesWithTenant(world);
    return { input: { cid_group_ids: [entry.cid_group_id] }, expected: [entry] };
  },
  getCIDGroupMembersByV2: async (world) => {
    const entry = await sitesWithTenant(world);
    return { input: { ids: [entry.cid_group_id] }, expected: [entry] };
  },
  queryCIDGroups: async (world) => {
    const id = await sites(world);
    return { input: {}, expected: listWith(id) };
  },
  queryCIDGroupMembers: async (world) => {
    const { cid_group_id, cids } = await sitesWithTenant(world);
    return { input: { cid: cids[0] ?? "" }, expected: [cid_group_id] };
  },
} satisfies Partial<Examples<OperationId>>;
