import type { JsonObject } from "../requests/request.ts";
import {
  idsIn,
  recordsIn,
  type CollectionRecipe,
  type OperationRecipe,
  type RecipeRequest,
  type Subject,
} from "./recipe.ts";

const uidOf = (namespace: string, index: number): string =>
  `${namespace}-${index}@contract.example`;

/**
 * A well-formed identifier that no user has: a new one is of version 4 and never starts like this.
 */
const phantomUuid = (namespace: string, number: number): string =>
  `00000000-0000-4000-8000-${namespace.slice(-10)}${String(number).padStart(2, "0")}`;

/** A tenant that does not exist. */
const phantomCid = "f".repeat(32);

/** Every third user has no name. Every second user has a password, because hashing is slow. */
const newUser = (namespace: string, index: number) => ({
  uid: uidOf(namespace, index),
  ...(index % 3 === 2 ? {} : { first_name: `First ${index % 2}`, last_name: `Last ${index}` }),
  ...(index % 2 === 1 ? { password: "Quiet-harbour-1897" } : {}),
});

const legacyUser = (namespace: string) => ({
  uid: uidOf(namespace, 0),
  firstName: "First",
  lastName: "Last",
});

const first = ({ records: [record] }: Subject): JsonObject => record ?? {};
const uuidOf = (subject: Subject): string => String(first(subject)["uuid"]);
const uuidsOf = ({ records }: Subject): readonly string[] =>
  records.map(({ uuid }) => String(uuid));
const phantomOf = ({ namespace }: Subject): string => phantomUuid(namespace, 0);

const inQuery = (subject: Subject) => ({ query: { user_uuid: uuidOf(subject) } });

/** A request that names one user in the query. */
const aboutUser = (
  effect: OperationRecipe["effect"],
  body?: JsonObject,
): Omit<OperationRecipe, "resource"> => ({
  effect,
  single: true,
  ...(effect === "none" ? {} : { otherForm: true }),
  request: (subject) => ({ ...inQuery(subject), ...(body === undefined ? {} : { body }) }),
});

const roleAction = (subject: Subject, uuid: unknown, more: JsonObject = {}) => ({
  body: {
    action: "grant",
    cid: first(subject)["cid"],
    role_ids: ["help_desk"],
    uuid,
    ...more,
  },
});

const roleActions: OperationRecipe = {
  resource: "users",
  effect: "change",
  single: true,
  otherForm: true,
  request: (subject) => roleAction(subject, uuidOf(subject)),
  more: {
    "for a time": (subject) =>
      roleAction(subject, uuidOf(subject), { expires_at: "2035-01-01T00:00:00Z" }),
    "that revokes": (subject) => roleAction(subject, uuidOf(subject), { action: "revoke" }),
  },
  answers: {
    404: (subject) => roleAction(subject, phantomOf(subject)),
    409: (subject) =>
      roleAction(subject, uuidOf(subject), { action: "revoke", role_ids: ["falconhost_admin"] }),
  },
  answersAbout: { 409: "administrators" },
};

/** The only administrator of a tenant cannot be removed and cannot lose the role. */
const lastAdministrator = (request: (subject: Subject) => RecipeRequest) => ({
  answers: { 409: request },
  answersAbout: { 409: "administrators" },
});

const aggregates: OperationRecipe = {
  resource: "users",
  effect: "none",
  request: ({ namespace, records }) => ({
    body: {
      name: "of-these",
      type: "cardinality",
      field: "uid",
      filter: records.length === 0 ? uidFilter(namespace) : idFilter("uuid", records),
    },
  }),
};

const uidFilter = (namespace: string): string => `uid:*'${namespace}-*'`;

const idFilter = (field: string, records: readonly JsonObject[]): string =>
  `${field}:[${records.map((record) => `'${String(record[field])}'`).join(",")}]`;

const rolesById: OperationRecipe = {
  resource: null,
  effect: "none",
  answers: { 404: () => ({ query: { ids: ["help_desk", "no_such_role"] } }) },
};

export const userManagement: CollectionRecipe = {
  resources: {
    users: {
      idField: "uuid",
      tables: ["internal-users"],
      uniqueIn: "platform",
      unseen: [
        "cid_name",
        "name",
        "has_temporary_roles",
        "assigned_cids",
        "associated_cids",
        "direct_assigned_cids",
        "non_ancestor_assigned_cids",
        "temporarily_assigned_cids",
      ],
      phantom: (namespace, number) => ({
        uuid: phantomUuid(namespace, number),
        uid: uidOf(namespace, number),
        cid: phantomCid,
      }),
      lifecycle: {
        create: "createUserV1",
        input: newUser,
        createRequest: ([user = {}]) => ({ body: user }),
        atOnce: 1,
        filter: uidFilter,
        get: "retrieveUsersGETV1",
        getRequest: (ids) => ({ body: { ids } }),
        remove: "deleteUserV1",
        removeRequest: ([id = ""]) => ({ query: { user_uuid: id } }),
        change: {
          operation: "updateUserV1",
          request: ([user = {}]) => ({
            query: { user_uuid: String(user["uuid"]) },
            body: { last_name: "Changed" },
          }),
          changed: { last_name: "Changed" },
        },
      },
    },
    // All grants of one user.
    grants: {
      idField: "role_id",
      phantom: (namespace, number) => ({
        uuid: phantomUuid(namespace, number),
        role_id: "help_desk",
        cid: phantomCid,
      }),
      lifecycle: null,
      find: async ({ namespace, read, create, write }) => {
        const roles = idsIn(await read("GetAvailableRoleIds", {}));
        const others = roles.filter((id) => !id.includes("admin") && id !== "help_desk");
        const role_ids = ["help_desk", ...others.slice(0, 4)];
        // With a password, because the roles of a user who cannot sign in have no effect.
        const [user = {}] = await create("users", [newUser(namespace, 1)]);
        const { cid, uuid } = user;
        await write("userRolesActionV2", { body: { action: "grant", cid, role_ids, uuid } });
        return role_ids.map((role_id) => ({ uuid, role_id, cid }));
      },
    },
    // The only administrator of the tenant. It is never looked up, because a wrong user would lose
    // the role.
    administrators: {
      idField: "uuid",
      phantom: (namespace, number) => ({
        uuid: phantomUuid(namespace, number),
        cid: phantomCid,
      }),
      lifecycle: null,
    },
    invitations: {
      idField: "invitation_id",
      phantom: (namespace, number) => ({ invitation_id: phantomUuid(namespace, number) }),
      lifecycle: null,
      find: async ({ read }) => {
        const ids = idsIn(await read("queryUserInvitationsV1", { query: { limit: "50" } }));
        if (ids.length === 0) return [];
        return recordsIn(await read("getUserInvitationsGETV1", { body: { ids } }));
      },
    },
  },
  operations: {
    createUserV1: { resource: "users", effect: "create" },
    updateUserV1: { resource: "users", effect: "change", single: true },
    deleteUserV1: { resource: "users", ...aboutUser("remove"), ...lastAdministrator(inQuery) },
    retrieveUsersGETV1: {
      resource: "users",
      effect: "none",
      request: (subject) => ({ body: { ids: uuidsOf(subject) } }),
    },
    retrieveUsersGETV2: {
      resource: "users",
      effect: "none",
      request: (subject) => ({ body: { ids: uuidsOf(subject) } }),
    },
    aggregateUsersV1: aggregates,
    aggregateUsersV2: aggregates,
    userActionV1: {
      resource: "users",
      effect: "change",
      otherForm: true,
      request: (subject) => ({
        body: { action: { action_name: "reset_2fa" }, ids: uuidsOf(subject) },
      }),
      more: {
        "about passwords": (subject) => ({
          body: { action: { action_name: "reset_password" }, ids: uuidsOf(subject) },
        }),
      },
    },
    userRolesActionV1: roleActions,
    userRolesActionV2: roleActions,
    combinedUserRolesV1: { resource: "grants", ...aboutUser("none") },
    CombinedUserRolesV2: { resource: "grants", ...aboutUser("none") },
    CombinedUserRolesV3: { resource: "grants", ...aboutUser("none") },
    userAllowedActionsV1: {
      resource: "grants",
      effect: "none",
      single: true,
      request: (subject) => ({
        body: { allowed_actions: [{ action: "reset_2fa", uuid: uuidOf(subject) }] },
      }),
    },
    queriesRolesV1: {
      resource: "grants",
      ...aboutUser("none"),
      more: { "about no user": () => ({}) },
    },
    entitiesRolesV1: { ...rolesById, request: () => ({ query: { ids: ["help_desk"] } }) },
    entitiesRolesGETV2: {
      ...rolesById,
      request: () => ({ body: { ids: ["help_desk"] } }),
      answers: { 404: () => ({ body: { ids: ["help_desk", "no_such_role"] } }) },
    },
    queryUserInvitationsV1: {
      resource: "invitations",
      effect: "none",
      request: ({ records }) => ({ query: { filter: idFilter("invitation_id", records) } }),
    },
    getUserInvitationsGETV1: {
      resource: "invitations",
      effect: "none",
      request: ({ records }) => ({
        body: { ids: records.map(({ invitation_id }) => invitation_id) },
      }),
    },
    CreateUser: {
      resource: "users",
      effect: "create",
      otherForm: true,
      request: ({ namespace }) => ({ body: legacyUser(namespace) }),
      answers: {
        409: ({ namespace }) => ({
          first: [{ operation: "createUserV1", parts: { body: newUser(namespace, 0) } }],
          body: legacyUser(namespace),
        }),
      },
    },
    UpdateUser: { resource: "users", ...aboutUser("change", { lastName: "Changed" }) },
    DeleteUser: { resource: "users", ...aboutUser("remove"), ...lastAdministrator(inQuery) },
    queryUserV1: {
      resource: "users",
      effect: "none",
      rules: {
        "associated_cids is a field of version 2 only": async ({ statusOf, expect }) => {
          const query = { filter: "associated_cids:*", limit: "1" };
          expect("queryUserV2", await statusOf("queryUserV2", { query }), 200);
          expect("queryUserV1", await statusOf("queryUserV1", { query }), 400);
        },
      },
    },
    RetrieveUser: {
      resource: "users",
      effect: "none",
      otherForm: true,
      answers: {
        404: (subject) => ({ query: { ids: [uuidOf(subject), phantomOf(subject)] } }),
      },
    },
    RetrieveUserUUID: {
      resource: "users",
      effect: "none",
      otherForm: true,
      request: ({ records }) => ({ query: { uid: records.map(({ uid }) => String(uid)) } }),
      answers: { 404: ({ namespace }) => ({ query: { uid: [uidOf(namespace, 99)] } }) },
    },
    RetrieveUserUUIDsByCID: { resource: null, effect: "none" },
    RetrieveEmailsByCID: { resource: null, effect: "none" },
    GetUserRoleIds: { resource: "grants", ...aboutUser("none") },
    GrantUserRoleIds: { resource: "users", ...aboutUser("change", { role_ids: ["help_desk"] }) },
    RevokeUserRoleIds: {
      resource: "users",
      ...aboutUser("change"),
      request: (subject) => ({ query: { user_uuid: uuidOf(subject), ids: ["help_desk"] } }),
      ...lastAdministrator((subject) => ({
        query: { user_uuid: uuidOf(subject), ids: ["falconhost_admin"] },
      })),
    },
    GetRoles: { ...rolesById, request: () => ({ query: { ids: ["help_desk"] } }) },
    GetAvailableRoleIds: { resource: null, effect: "none" },
  },
};
