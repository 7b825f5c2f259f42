import type { JsonObject } from "../requests/request.ts";
import { identifier } from "./identifiers.ts";
import {
  findOnly,
  idsOf,
  recordsIn,
  type CollectionRecipe,
  type Finder,
  type OperationRecipe,
  type RecipeRequest,
  type ResourceRecipe,
  type Subject,
} from "./recipe.ts";

/**
 * A well-formed identifier that no user has: a new one is of version 4 and never starts like this.
 */
const noUser = (namespace: string): string => `00000000-0000-4000-8000-${namespace.slice(-10)}ff`;

const groupTypes = ["dynamic", "static", "staticByID"] as const;

/** The third kind starts without hosts. */
const rules = [
  (namespace: string) => ({ assignment_rule: `tags:'${namespace}'` }),
  (namespace: string) => ({ assignment_rule: `device_id:[''],hostname:['${namespace}-1']` }),
  () => ({}),
];

const hostGroup = (namespace: string, index: number): JsonObject => ({
  name: `${namespace} ${index}`,
  group_type: groupTypes[index % 3],
  ...(index % 2 === 0 ? { description: `Number ${index} of ${namespace}` } : {}),
  ...rules[index % 3]?.(namespace),
});

const hostGroupOf = (group_type: (typeof groupTypes)[number]) => (finder: Finder) =>
  finder.create(
    "host-groups",
    [0, 1].map((number) => ({ name: `${finder.namespace} ${number}`, group_type })),
  );

const phantom = (namespace: string, number: number): JsonObject => ({
  id: identifier("phantom", namespace, number),
  name: `${namespace} ${number}`,
});

/** A group that a policy refers to. */
async function hostGroupsInUse(finder: Finder): Promise<readonly JsonObject[]> {
  const { namespace, create, write } = finder;
  const groups = await hostGroupOf("dynamic")(finder);
  const [policy = {}] = await create("prevention-policies", [
    { name: namespace, platform_name: "Windows" },
  ]);
  await write("performPreventionPoliciesAction", {
    query: { action_name: "add-host-group" },
    body: {
      ids: [policy["id"]],
      action_parameters: groups.map(({ id }) => ({ name: "group_id", value: id })),
    },
  });
  return groups;
}

const action = (subject: Subject, action_name: string): RecipeRequest => ({
  query: { action_name },
  body: {
    ids: idsOf(subject),
    action_parameters: [{ name: "filter", value: `tags:'${subject.namespace}'` }],
  },
});

/** Names for one kind of group (of users or of tenants) and its operations. */
interface Names {
  readonly resource: string;
  readonly id: string;
  readonly members: string;
  readonly create: string;
  readonly update: string;
  readonly remove: string;
  readonly get: string;
  readonly getV2: string;
}

const userGroups: Names = {
  resource: "user-groups",
  id: "user_group_id",
  members: "user_uuids",
  create: "createUserGroups",
  update: "updateUserGroups",
  remove: "deleteUserGroups",
  get: "getUserGroupsByID",
  getV2: "getUserGroupsByIDV2",
};

const tenantGroups: Names = {
  resource: "tenant-groups",
  id: "cid_group_id",
  members: "cids",
  create: "createCIDGroups",
  update: "updateCIDGroups",
  remove: "deleteCIDGroups",
  get: "getCIDGroupById",
  getV2: "getCIDGroupByIdV2",
};

/** Identifiers of groups in the query. */
const inQuery =
  ({ id }: Names) =>
  (subject: Subject): RecipeRequest => ({ query: { [`${id}s`]: idsOf(subject, id) } });

/** Groups and members in the body. */
const inBody =
  ({ id, members }: Names) =>
  ({ records }: Subject): RecipeRequest => ({
    body: { resources: records.map((group) => ({ [id]: group[id], [members]: group[members] })) },
  });

/** Groups with members. */
const memberships = ({ resource }: Names): string => `${resource}-with-members`;
/** The same; these lose their members. */
const emptied = ({ resource }: Names): string => `${resource}-to-empty`;
const administering = ({ resource }: Names): string => `administering-${resource}`;

function groupResources(names: Names, member: (namespace: string) => string) {
  const phantomGroup = (namespace: string, number: number): JsonObject => ({
    [names.id]: identifier("phantom", names.resource, namespace, number),
    [names.members]: [member(namespace)],
  });
  const known: ResourceRecipe = { idField: names.id, phantom: phantomGroup, lifecycle: null };
  const records: ResourceRecipe = {
    idField: names.id,
    restless: ["last_modified_timestamp"],
    phantom: phantomGroup,
    lifecycle: {
      create: names.create,
      input: (namespace, index) => ({
        name: `${namespace} ${index}`,
        ...(index % 2 === 0 ? { description: `Number ${index} of ${namespace}` } : {}),
      }),
      createRequest: (resources) => ({ body: { resources } }),
      filter: (namespace) => `name:*'${namespace} *'`,
      get: names.getV2,
      remove: names.remove,
      removeRequest: (ids) => ({ query: { [`${names.id}s`]: ids } }),
      change: {
        operation: names.update,
        request: (groups) => ({
          body: {
            resources: groups.map((group) => ({
              [names.id]: group[names.id],
              description: "changed",
            })),
          },
        }),
        changed: { description: "changed" },
      },
    },
  };
  return { records, known };
}

function groupOperations(names: Names): Readonly<Record<string, OperationRecipe>> {
  const { resource, id } = names;
  const lastAdministrator = (request: (subject: Subject) => RecipeRequest) => ({
    answers: { 409: request },
    answersAbout: { 409: administering(names) },
  });
  const [kind, version2] = id === "user_group_id" ? ["UserGroup", "ByID"] : ["CIDGroup", "By"];
  const removesMembers: OperationRecipe = {
    resource: emptied(names),
    effect: "change",
    otherForm: true,
    request: inBody(names),
    ...lastAdministrator(inBody(names)),
  };
  return {
    [names.get]: { resource, effect: "none", request: inQuery(names) },
    [names.getV2]: { resource, effect: "none" },
    [names.create]: { resource, effect: "create" },
    [names.update]: {
      resource,
      effect: "change",
      answers: {
        409: ({ namespace, records }) => ({
          body: {
            resources: records.map((group) => ({ [id]: group[id], name: `${namespace} same` })),
          },
        }),
      },
    },
    [names.remove]: {
      resource,
      effect: "remove",
      request: inQuery(names),
      ...lastAdministrator(inQuery(names)),
    },
    [`get${kind}Members${version2}`]: {
      resource: memberships(names),
      effect: "none",
      otherForm: true,
      request: inQuery(names),
    },
    [`get${kind}Members${version2}V2`]: {
      resource: memberships(names),
      effect: "none",
      otherForm: true,
      request: (subject) => ({ query: { ids: idsOf(subject, id) } }),
    },
    [`add${kind}Members`]: {
      resource: memberships(names),
      effect: "change",
      otherForm: true,
      request: inBody(names),
    },
    [`delete${kind}Members`]: removesMembers,
    ...(kind === "CIDGroup" ? { deleteCIDGroupMembersV2: removesMembers } : {}),
    [`query${kind}s`]: { resource: null, effect: "none" },
    [`query${kind}Members`]: { resource: null, effect: "none" },
  };
}

async function userGroupWithMember({ namespace, create, write }: Finder) {
  const [user = {}] = await create("users", [{ uid: `${namespace}@contract.example` }]);
  const groups = await create(userGroups.resource, [{ name: namespace }]);
  const members = groups.map((group) => ({
    user_group_id: group["user_group_id"],
    user_uuids: [user["uuid"]],
  }));
  await write("addUserGroupMembers", { body: { resources: members } });
  return members;
}

const users = groupResources(userGroups, noUser);
const tenants = groupResources(tenantGroups, (namespace) => identifier("no tenant", namespace));

export const companion: CollectionRecipe = {
  resources: {
    "host-groups": {
      idField: "id",
      phantom,
      lifecycle: {
        create: "createHostGroups",
        input: hostGroup,
        createRequest: (resources) => ({ body: { resources } }),
        filter: (namespace) => `name:*'${namespace} *'`,
        get: "getHostGroups",
        remove: "deleteHostGroups",
        change: {
          operation: "updateHostGroups",
          request: (records) => ({
            body: { resources: records.map(({ id }) => ({ id, description: "changed" })) },
          }),
          changed: { description: "changed" },
          // The format of a rule depends on the type of the group.
          fixed: ["assignment_rule"],
        },
      },
    },
    "hosts-of-groups": {
      idField: "device_id",
      phantom: (namespace, number) => ({ device_id: identifier("host", namespace, number) }),
      lifecycle: null,
      find: async ({ read }) =>
        recordsIn(await read("queryCombinedGroupMembers", { query: { limit: "50" } })),
    },
    "static-host-groups": findOnly(hostGroupOf("staticByID"), phantom),
    "dynamic-host-groups": findOnly(hostGroupOf("dynamic"), phantom),
    "host-groups-in-use": findOnly(hostGroupsInUse, phantom),
    [userGroups.resource]: users.records,
    [memberships(userGroups)]: { ...users.known, find: userGroupWithMember },
    [emptied(userGroups)]: { ...users.known, find: userGroupWithMember },
    [tenantGroups.resource]: tenants.records,
    [memberships(tenantGroups)]: tenants.known,
    [emptied(tenantGroups)]: tenants.known,
    // Groups through which a child tenant has its only administrator. Other groups would lose
    // members.
    [administering(userGroups)]: users.known,
    [administering(tenantGroups)]: tenants.known,
  },
  operations: {
    GetSensorInstallersCCIDByQuery: { resource: null, effect: "none" },
    getHostGroups: { resource: "host-groups", effect: "none" },
    createHostGroups: { resource: "host-groups", effect: "create" },
    updateHostGroups: {
      resource: "host-groups",
      effect: "change",
      answers: {
        409: ({ namespace, records }) => ({
          body: { resources: records.map(({ id }) => ({ id, name: `${namespace} same` })) },
        }),
      },
    },
    deleteHostGroups: {
      resource: "host-groups",
      effect: "remove",
      answers: { 409: (subject) => ({ query: { ids: idsOf(subject) } }) },
      answersAbout: { 409: "host-groups-in-use" },
    },
    performGroupAction: {
      resource: "static-host-groups",
      effect: "change",
      otherForm: true,
      request: (subject) => action(subject, "add-hosts"),
      more: { "that removes": (subject) => action(subject, "remove-hosts") },
      answers: { 409: (subject) => action(subject, "add-hosts") },
      answersAbout: { 409: "dynamic-host-groups" },
    },
    queryGroupMembers: {
      resource: "hosts-of-groups",
      effect: "none",
      answers: { 404: () => ({ query: { id: identifier("no group") } }) },
    },
    queryCombinedGroupMembers: {
      resource: "hosts-of-groups",
      effect: "none",
      answers: { 404: () => ({ query: { id: identifier("no group") } }) },
    },
    GetDeviceDetailsV2: {
      resource: "hosts",
      effect: "none",
      request: (subject) => ({ query: { ids: idsOf(subject, "device_id") } }),
    },
    PostDeviceDetailsV2: {
      resource: "hosts",
      effect: "none",
      request: (subject) => ({ body: { ids: idsOf(subject, "device_id") } }),
    },
    ...groupOperations(userGroups),
    ...groupOperations(tenantGroups),
  },
};
