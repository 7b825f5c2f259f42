import { writeFileSync } from "node:fs";
import { join } from "node:path";

export interface GroupsWorld {
  readonly url: string;
  readonly token: string;
  /** The tenant of the token. */
  readonly cid: string;
  /** For files that are imported. */
  readonly folder: string;
  /** Runs `secplat` on the server's database. Returns what it prints. */
  readonly secplat: (...words: readonly string[]) => string;
}

const ids = { user: "a".repeat(32), tenant: "b".repeat(32) };

/**
 * Tenant groups with a tenant, and groups through which another tenant below has its only
 * administrator: known records that no operation creates.
 */
export async function groupsOfTenants(world: GroupsWorld) {
  const { folder, secplat, cid } = world;
  const tenantBelow = (name: string): string => {
    const output = secplat("tenants", "create", name, "--parent", cid);
    return (JSON.parse(output) as { readonly cid: string }).cid;
  };
  const imported = (kind: string, record: object): void => {
    const file = join(folder, `${kind}.ndjson`);
    writeFileSync(file, `${JSON.stringify(record)}\n`);
    secplat("import", kind, file, "--tenant", cid);
  };
  const member = tenantBelow("Contract member");
  const administered = tenantBelow("Contract administered");
  const [user] = await created(world, "/user-management/entities/users/v1", {
    uid: "group-administrator@contract.example",
    password: "Quiet-harbour-1897",
  });
  const users = [String(user?.["uuid"])];
  imported("user-groups", { id: ids.user, name: "Below", users, role_ids: ["help_desk"] });
  imported("tenant-groups", {
    id: ids.tenant,
    name: "Administered",
    cids: [administered],
    grants: [{ user_group: ids.user, role_ids: ["falconhost_admin"] }],
  });
  const groups = await created(world, "/mssp/entities/cid-groups/v1", {
    resources: [{ name: "With a tenant" }, { name: "To empty" }],
  });
  const members = groups.map(({ cid_group_id }) => ({ cid_group_id, cids: [member] }));
  await created(world, "/mssp/entities/cid-group-members/v1", { resources: members });
  return {
    "tenant-groups-with-members": members.slice(0, 1),
    "tenant-groups-to-empty": members.slice(1),
    "administering-user-groups": [{ user_group_id: ids.user, user_uuids: users }],
    "administering-tenant-groups": [{ cid_group_id: ids.tenant, cids: [administered] }],
  };
}

type Records = readonly Readonly<Record<string, unknown>>[];

/** The records of the answer, with or without an Envelope. */
async function created(
  { url, token }: Pick<GroupsWorld, "url" | "token">,
  path: string,
  body: object,
): Promise<Records> {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Records | { readonly resources: Records };
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return "resources" in answer ? answer.resources : answer;
}
