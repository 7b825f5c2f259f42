import {
  storedTenantGroup,
  tenantGroups,
  userGroups,
  type TenantGroup,
  type UserGroup,
} from "../access/groups.ts";
import {
  inOrder,
  invitationDays,
  invitations,
  type StoredInvitation,
} from "../domain/user-management/invitations/invitations.ts";
import { invitationMail } from "../domain/user-management/invitations/invite.ts";
import { newUser } from "../domain/user-management/users/new-user.ts";
import { outbox, type Mail } from "../mail/outbox.ts";
import { users, type DirectGrant, type StoredUser } from "../access/users.ts";
import {
  platformCid,
  type Store,
  type Tenant,
  type Transaction,
  type WritableRecords,
} from "../store/index.ts";
import { days, instant } from "./instants.ts";
import {
  knownGuest,
  knownInvitation,
  knownPeople,
  knownSecondTenantGroup,
  knownSecondUserGroup,
  knownTenantGroup,
  knownTenants,
  knownUserGroup,
} from "./known.ts";
import { asDocumented, otherThanDocumented, type KnownId } from "./known-ids.ts";
import { Random, uuid } from "./random.ts";
import { firstNames, lastNames } from "./words.ts";

export interface UserSeedOptions {
  /** Parents before their children. */
  readonly tenants: readonly Tenant[];
  /** The tenant that a newcomer should look at first. */
  readonly main: Tenant;
  /** Prefix of the names of random sequences. */
  readonly purpose: string;
  readonly seed: number;
  /** The start of the world's reference day. */
  readonly base: number;
  /** The minute in which the world is generated. */
  readonly now: number;
  /** The tenants that have a story. */
  readonly stories: ReadonlySet<string>;
  /** Whether the examples of the document are records of this world. */
  readonly isDocumented: boolean;
}

const documentedDomains: Readonly<Record<string, string>> = {
  [knownTenants.main]: "example.com",
  [knownTenants.partner]: "partner.example",
};

type Known = Pick<UserSeedOptions, "stories" | "isDocumented">;

const knownIdsOf = ({ cid }: Tenant, { stories, isDocumented }: Known): KnownId =>
  isDocumented && (stories.has(cid) || cid === knownTenants.partner)
    ? asDocumented
    : otherThanDocumented(cid);

/** A person whom the examples of the document show. */
function knownPerson({ cid }: Tenant, part: Part, { stories, isDocumented }: Known) {
  if (stories.has(cid)) return knownPeople[part];
  const isGuest = isDocumented && cid === knownTenants.partner && part === "administrator";
  return isGuest ? knownGuest : undefined;
}

/** The purposes of a tenant's users, in order of creation. */
const parts = ["administrator", "analyst", "responder", "newcomer", "night shift"] as const;
type Part = (typeof parts)[number];

/**
 * Users of every tenant with roles, a user group, a tenant group of a parent, and, from a tenant of
 * another tree, one user who accepted an invitation and one with a pending invitation. Existing
 * records stay unchanged. Returns the number of users.
 */
export async function seedUsers(store: Store, options: UserSeedOptions): Promise<number> {
  const { tenants, main, base } = options;
  const families = familiesOf(tenants);
  const byTenant = tenants.map((tenant) =>
    usersOf(tenant, families.get(tenant.cid) ?? "", options),
  );
  const outsiders = byTenant.find(([user]) => user?.family !== families.get(main.cid)) ?? [];
  const [accepted, invited] = outsiders;
  const inviter = byTenant[tenants.indexOf(main)]?.[0];
  const allUsers = byTenant.flat();
  const now = new Date(base);
  await store.write(platformCid, async (transaction) => {
    const guest = inviter && accepted && withAccess(accepted, main, base);
    await insertMissing(
      transaction,
      allUsers.map((user) => (user.uuid === guest?.uuid ? guest : user)),
      now,
    );
    await addGroups(transaction, options, byTenant);
    if (inviter && accepted && invited) {
      await addInvitations(transaction, options, { inviter, accepted, invited });
    }
  });
  return allUsers.length;
}

/** The root of each tenant's tree. */
function familiesOf(tenants: readonly Tenant[]): ReadonlyMap<string, string> {
  const families = new Map<string, string>();
  for (const { cid, parent_cid } of tenants) {
    families.set(cid, (parent_cid === null ? undefined : families.get(parent_cid)) ?? cid);
  }
  return families;
}

/** The users of a tenant, before invitations and groups. */
export function usersOf(
  tenant: Tenant,
  family: string,
  options: UserSeedOptions,
): readonly StoredUser[] {
  const { purpose, seed, base, now, isDocumented } = options;
  const random = new Random(seed, `${purpose}/users/${tenant.name}`);
  // An e-mail address is unique on the platform, also across worlds.
  const domain =
    (isDocumented ? documentedDomains[tenant.cid] : undefined) ??
    `${tenant.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}${seed === 1 ? "" : `-${seed}`}.example`;
  const start = random.below(firstNames.length);
  const surname = random.below(lastNames.length);
  const known = knownIdsOf(tenant, options);
  return parts.map((part, index) => {
    const drawn = {
      first_name: firstNames[(start + index) % firstNames.length] ?? "",
      last_name: lastNames[(surname + index * 7) % lastNames.length] ?? "",
    };
    const person = knownPerson(tenant, part, options);
    // Only the world of the document has the people of its examples.
    const { first_name, last_name } = person !== undefined && isDocumented ? person : drawn;
    const created = base - days(60 + random.below(240)) + random.below(days(1));
    const active = part !== "newcomer";
    const drawnId = uuid(random);
    const facts = {
      uuid: person === undefined ? drawnId : known(person.uuid),
      uid: `${first_name}.${last_name}@${domain}`.toLowerCase(),
      first_name,
      last_name,
      status: active ? "active" : "inactive",
      factors: active && random.chance(70) ? [random.pick(["totp", "webauthn"])] : [],
      ...(active
        ? { last_login_at: instant(now - random.below(index < 2 ? 8 * 3_600_000 : days(6))) }
        : {}),
      grants: grantsOf(part, tenant.cid, instant(created), base),
    } as const;
    return newUser(facts, tenant, family, new Date(created));
  });
}

function grantsOf(part: Part, cid: string, granted_at: string, base: number): DirectGrant[] {
  const grant = (role_id: string): DirectGrant => ({ cid, role_id, granted_at });
  switch (part) {
    case "administrator":
      return [grant("falconhost_admin")];
    case "analyst":
      return [grant("falconhost_analyst")];
    case "responder":
      return [
        grant("falconhost_read_only"),
        { ...grant("remote_responder_three"), expires_at: instant(base + days(14)) },
      ];
    case "night shift":
    case "newcomer":
      return [];
  }
}

/** The user after accepting an invitation to `main`. */
function withAccess(user: StoredUser, main: Tenant, base: number): StoredUser {
  const granted_at = instant(base - days(10));
  const grants = [
    ...user.grants,
    { cid: main.cid, role_id: "falconhost_investigator", granted_at },
  ];
  const { cid, cid_name, family, created_at } = user;
  return newUser({ ...user, grants }, { cid, name: cid_name }, family, new Date(created_at));
}

async function insertMissing(
  transaction: Transaction,
  seeded: readonly StoredUser[],
  now: Date,
): Promise<void> {
  const records = transaction.records(users);
  const existing = await records.getForUpdate(seeded.map((user) => user.uuid));
  const missing = seeded.filter((user) => !existing.has(user.uuid));
  if (missing.length > 0) await records.insert(missing, now);
}

/** Adds groups to each tenant with a story, and one to a parent, whose members work in all child tenants. */
async function addGroups(
  transaction: Transaction,
  options: UserSeedOptions,
  byTenant: readonly (readonly StoredUser[])[],
): Promise<void> {
  const { tenants, stories, purpose, seed, base } = options;
  const random = new Random(seed, `${purpose}/user-groups`);
  const now = new Date(base);
  const membersIn = (tenant: Tenant, ...memberParts: readonly Part[]) =>
    memberParts.flatMap(
      (part) => byTenant[tenants.indexOf(tenant)]?.[parts.indexOf(part)]?.uuid ?? [],
    );
  const groups: UserGroup[] = [];
  const wider: TenantGroup[] = [];
  for (const tenant of tenants.filter(({ cid }) => stories.has(cid))) {
    const { cid, name } = tenant;
    const known = knownIdsOf(tenant, options);
    const [place = ""] = name.split(" ");
    groups.push(
      {
        id: known(knownUserGroup),
        cid,
        name: `${place} analysts`,
        description: `Analysts of the ${place.toLowerCase()} site`,
        user_uuids: membersIn(tenant, "analyst", "night shift"),
        role_ids: ["falconhost_analyst"],
      },
      {
        id: known(knownSecondUserGroup),
        cid,
        name: "Trainees",
        description: "Read along for three months",
        user_uuids: membersIn(tenant, "newcomer"),
        role_ids: [],
      },
    );
    const below = descendantsOf(tenant, tenants);
    if (below.length === 0) continue;
    wider.push(
      {
        id: known(knownTenantGroup),
        cid,
        name: "Northern sites",
        description: "Sites in the north",
        cids: below,
        grants: [],
      },
      {
        id: known(knownSecondTenantGroup),
        cid,
        name: "Sites to be closed",
        description: "",
        cids: below,
        grants: [],
      },
    );
  }
  for (const parent of tenants) {
    const below = descendantsOf(parent, tenants);
    if (parent.parent_cid !== null || below.length === 0) continue;
    const group: UserGroup = {
      id: random.hex(32),
      cid: parent.cid,
      name: "Customer care",
      description: "Who looks after the tenants below.",
      user_uuids: membersIn(parent, "administrator", "night shift"),
      role_ids: [],
    };
    groups.push(group);
    wider.push({
      id: random.hex(32),
      cid: parent.cid,
      name: "All customers",
      cids: below,
      grants: [{ user_group_id: group.id, role_ids: ["falconhost_analyst"] }],
    });
  }
  await putMissing(transaction.records(userGroups), groups, now);
  await putMissing(transaction.records(tenantGroups), wider.map(storedTenantGroup), now);
}

async function putMissing<Group extends { readonly id: string }>(
  records: WritableRecords<Group>,
  groups: readonly Group[],
  now: Date,
): Promise<void> {
  const stored = await records.getForUpdate(groups.map(({ id }) => id));
  await records.put(
    groups.filter(({ id }) => !stored.has(id)),
    now,
  );
}

function descendantsOf({ cid }: Tenant, tenants: readonly Tenant[]): readonly string[] {
  const below = new Set([cid]);
  for (const tenant of tenants) {
    if (tenant.parent_cid !== null && below.has(tenant.parent_cid)) below.add(tenant.cid);
  }
  below.delete(cid);
  return [...below];
}

interface Invited {
  readonly inviter: StoredUser;
  readonly accepted: StoredUser;
  readonly invited: StoredUser;
}

async function addInvitations(
  transaction: Transaction,
  options: UserSeedOptions,
  { inviter, accepted, invited }: Invited,
): Promise<void> {
  const { main, purpose, seed, base } = options;
  const random = new Random(seed, `${purpose}/invitations`);
  const known = knownIdsOf(main, options);
  const records = transaction.records(invitations);
  const now = new Date(base);
  const invitation = (user: StoredUser, created: number): StoredInvitation => ({
    invitation_id: uuid(random),
    invitation_token: `ivt_${random.hex(32)}`,
    status: "pending",
    invitee_email: user.uid,
    invitee_uuid: user.uuid,
    inviter_cid: main.cid,
    inviter_email: inviter.uid,
    inviter_uuid: inviter.uuid,
    target_cid: main.cid,
    created_at: instant(created),
    email_sent_at: instant(created),
    expires_at: instant(created + days(invitationDays)),
    updated_at: instant(created),
    updated_by: inviter.uid,
    roles: [{ role_id: "falconhost_investigator" }],
    audience: [main.cid],
  });
  const at = instant(base - days(10));
  const done: StoredInvitation = {
    ...invitation(accepted, base - days(11)),
    invitation_id: known(knownInvitation),
    status: "accepted",
    accepted_at: at,
    updated_at: at,
    updated_by: accepted.uid,
  };
  const pending = invitation(invited, base - days(1));
  const both = [done, pending].map(inOrder);
  const existing = await records.getForUpdate(both.map(({ invitation_id }) => invitation_id));
  if (existing.size > 0) return;
  await records.insert(both, now);
  const mail: Mail = {
    id: uuid(random),
    ...invitationMail(pending, invited, main),
    created_at: pending.created_at,
  };
  await transaction.records(outbox).insert([mail], now);
}
