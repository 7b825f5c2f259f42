import { expect } from "vitest";
import { filters, type OperationId } from "../../src/index.ts";
import type { Examples, World } from "./example.ts";

const { "internal-users": internalUsers, grants, invitations } = filters;
const password = "Quiet-harbour-1897";
const like = (members: object): unknown => expect.objectContaining(members);
const listWith = (...members: readonly unknown[]): unknown => expect.arrayContaining([...members]);
const changed = like({ meta: like({ writes: { resources_affected: 1 } }), errors: [] });

/** An e-mail address that no other example uses, because it is unique on the whole platform. */
const uidIn = ({ tenant }: World, name = "tomas"): string =>
  `${name}@${tenant.cid.slice(0, 12)}.example`;

/** An active user; returns its uuid. */
async function newUser(world: World, name?: string): Promise<string> {
  const { data } = await world.client.call("createUserV1", {
    body: { uid: uidIn(world, name), first_name: "Tomas", last_name: "Okafor", password },
  });
  return data[0]?.uuid ?? "";
}

/** A user with a role. */
async function granted(world: World, ...role_ids: readonly string[]): Promise<string> {
  const uuid = await newUser(world);
  const body = { action: "grant", cid: world.tenant.cid, role_ids: [...role_ids], uuid } as const;
  await world.client.call("userRolesActionV1", { body });
  return uuid;
}

/** The e-mail address of a user of an unrelated tenant. */
async function stranger(world: World): Promise<string> {
  const tenant = await world.server.newTenant();
  const client = await world.server.connect(await world.server.newCredentials({ tenant }));
  await newUser({ ...world, tenant, client }, "ines");
  return uidIn({ ...world, tenant }, "ines");
}

const invite = (world: World, uid: string) =>
  ({
    action: "grant",
    cid: world.tenant.cid,
    role_ids: ["falconhost_investigator"],
    uuid: uid,
  }) as const;

/** Returns the id of an invitation. */
async function invited(world: World): Promise<string> {
  await world.client.call("userRolesActionV2", { body: invite(world, await stranger(world)) });
  const { data } = await world.client.call("queryUserInvitationsV1", {});
  return data[0] ?? "";
}

/** A call about one user in the query. */
const aboutUser = (user_uuid: string) => ({ user_uuid });

const byStatus = { name: "by-status", type: "terms", field: "status" } as const;

const counted = (count: number): unknown => [
  like({ name: "by-status", buckets: [like({ label: "active", count })] }),
];

export const userManagementExamples = {
  createUserV1: (world) => ({
    input: { body: { uid: uidIn(world), first_name: "Tomas" } },
    expected: [like({ uid: uidIn(world), status: "inactive", factors: [] })],
  }),
  updateUserV1: async (world) => ({
    input: { ...aboutUser(await newUser(world)), body: { last_name: "Okafor-Lind" } },
    expected: [like({ first_name: "Tomas", last_name: "Okafor-Lind" })],
  }),
  deleteUserV1: async (world) => ({
    input: aboutUser(await newUser(world)),
    expected: changed,
  }),
  retrieveUsersGETV1: async (world) => {
    const uuid = await newUser(world);
    return { input: { body: { ids: [uuid] } }, expected: [like({ uuid, user_type: "internal" })] };
  },
  retrieveUsersGETV2: async (world) => {
    const uuid = await newUser(world);
    return { input: { body: { ids: [uuid] } }, expected: [like({ uuid, status: "active" })] };
  },
  queryUserV1: async (world) => {
    const uuid = await newUser(world);
    return {
      input: {
        filter: internalUsers.where("last_name").equals("okafor"),
        sort: ["uid"],
      },
      expected: [uuid],
    };
  },
  queryUserV2: async (world) => ({
    input: { user_type: "internal", filter: `uuid:'${await newUser(world)}'` },
    expected: [expect.any(String)],
  }),
  aggregateUsersV1: async (world) => {
    await newUser(world);
    return { input: { body: byStatus }, expected: counted(1) };
  },
  aggregateUsersV2: async (world) => {
    await newUser(world);
    return {
      input: { user_type: "internal", body: [byStatus] },
      expected: counted(1),
    };
  },
  userActionV1: async (world) => ({
    input: {
      body: { action: { action_name: "reset_2fa" }, ids: [await newUser(world)] },
    },
    expected: changed,
  }),
  userAllowedActionsV1: async (world) => {
    const uuid = await granted(world, "help_desk");
    return {
      input: {
        body: {
          allowed_actions: [
            { action: "reset_password", uuid, resource_ids: [uuid] },
            { action: "create_user", uuid },
          ],
        },
      },
      expected: [{ action: "reset_password", cid: world.tenant.cid, resource_ids: [uuid], uuid }],
    };
  },
  userRolesActionV1: async (world) => ({
    input: {
      body: {
        action: "grant",
        cid: world.tenant.cid,
        role_ids: ["falconhost_analyst"],
        uuid: await newUser(world),
        expires_at: "2035-03-09T00:00:00Z",
      },
    },
    expected: changed,
  }),
  userRolesActionV2: async (world) => ({
    input: { body: invite(world, await stranger(world)) },
    expected: changed,
  }),
  combinedUserRolesV1: async (world) => ({
    input: { user_uuid: await granted(world, "help_desk"), direct_only: true },
    expected: [like({ role_id: "help_desk", grant_type: "direct" })],
  }),
  CombinedUserRolesV2: async (world) => ({
    input: {
      user_uuid: await granted(world, "help_desk", "event_viewer"),
      filter: grants.where("role_id").equals("help_desk"),
      sort: ["role_name.desc"],
    },
    expected: [like({ role_name: "Help Desk", user_type: "internal" })],
  }),
  CombinedUserRolesV3: async (world) => ({
    input: aboutUser(await granted(world, "help_desk")),
    expected: [like({ role_id: "help_desk", cid: world.tenant.cid })],
  }),
  queriesRolesV1: async (world) => ({
    input: { user_uuid: await granted(world, "help_desk"), action: "revoke" },
    expected: ["help_desk"],
  }),
  entitiesRolesV1: () => ({
    input: { ids: ["help_desk"] },
    expected: [like({ id: "help_desk", is_global: true, type: "default" })],
  }),
  entitiesRolesGETV2: () => ({
    input: { body: { ids: ["help_desk", "event_viewer"] } },
    expected: [like({ display_name: "Help Desk" }), like({ display_name: "Event Viewer" })],
  }),
  queryUserInvitationsV1: async (world) => {
    const id = await invited(world);
    return {
      input: { filter: invitations.where("status").equals("pending") },
      expected: [id],
    };
  },
  getUserInvitationsGETV1: async (world) => {
    const invitation_id = await invited(world);
    return {
      input: { body: { ids: [invitation_id] } },
      expected: [like({ invitation_id, status: "pending", target_cid: world.tenant.cid })],
    };
  },
  CreateUser: (world) => ({
    input: { body: { uid: uidIn(world), firstName: "Tomas", password } },
    expected: [like({ firstName: "Tomas", status: "active", customer: world.tenant.cid })],
  }),
  UpdateUser: async (world) => ({
    input: { ...aboutUser(await newUser(world)), body: { firstName: "Tom" } },
    expected: [like({ firstName: "Tom", lastName: "Okafor" })],
  }),
  DeleteUser: async (world) => ({ input: aboutUser(await newUser(world)), expected: changed }),
  RetrieveUser: async (world) => {
    const uuid = await newUser(world);
    return { input: { ids: [uuid] }, expected: [like({ uuid, lastName: "Okafor" })] };
  },
  RetrieveUserUUID: async (world) => {
    const uuid = await newUser(world);
    return { input: { uid: [uidIn(world).toUpperCase()] }, expected: [uuid] };
  },
  RetrieveUserUUIDsByCID: async (world) => {
    const uuid = await newUser(world);
    return { input: {}, expected: [uuid] };
  },
  RetrieveEmailsByCID: async (world) => {
    await newUser(world);
    return { input: {}, expected: like({ resources: [uidIn(world)] }) };
  },
  GetUserRoleIds: async (world) => ({
    input: aboutUser(await granted(world, "help_desk")),
    expected: like({ resources: ["help_desk"] }),
  }),
  GrantUserRoleIds: async (world) => {
    const user_uuid = await newUser(world);
    return {
      input: { ...aboutUser(user_uuid), body: { role_ids: ["help_desk"] } },
      expected: like({ resources: { user_uuid, role_ids: ["help_desk"] } }),
    };
  },
  RevokeUserRoleIds: async (world) => ({
    input: { user_uuid: await granted(world, "help_desk"), ids: ["help_desk"] },
    expected: ["help_desk"],
  }),
  GetRoles: () => ({
    input: { ids: ["help_desk"] },
    expected: [like({ id: "help_desk", display_name: "Help Desk" })],
  }),
  GetAvailableRoleIds: () => ({ input: {}, expected: listWith("falconhost_admin", "help_desk") }),
} satisfies Partial<Examples<OperationId>>;
