import { where } from "@security-platform/fql";
import { errors, type Problem } from "../../../foundation/errors.ts";
import type { Transaction } from "../../../store/index.ts";
import { administratorRole } from "./tenant-access.ts";
import { users, type StoredUser } from "../../../access/users.ts";

/** Lists that must not become empty: every tenant keeps an administrator, and one whose role does not expire. */
const lists = ["administered_cids", "lastingly_administered_cids"] as const;

/** An active administrator whom a tenant loses. */
export interface AdministratorLoss {
  readonly list: (typeof lists)[number];
  readonly cid: string;
  readonly uuid: string;
}

/**
 * The losses of administrators caused by the change of a user; `after` is null for a deleted user. A role
 * that expired before `now` does not count as a loss.
 */
export function administratorsLost(
  before: StoredUser,
  after: StoredUser | null,
  now: Date,
): readonly AdministratorLoss[] {
  if (before.status !== "active") return [];
  const { uuid, next_expiry } = before;
  const isStale = next_expiry !== undefined && next_expiry <= now.toISOString();
  return lists
    .filter((list) => !isStale || list === "lastingly_administered_cids")
    .flatMap((list) =>
      before[list]
        .filter((cid) => after?.[list].includes(cid) !== true)
        .map((cid) => ({ list, cid, uuid })),
    );
}

/** Throws a 409 for tenants that have lost their last administrator. Runs after the writes. */
export async function requireAdministrators(
  transaction: Transaction,
  losses: readonly AdministratorLoss[],
  now: Date,
): Promise<void> {
  const problems = new Map<string, Problem>();
  const unique = new Map(losses.map((loss) => [`${loss.list}/${loss.cid}`, loss]));
  for (const { list, cid, uuid } of unique.values()) {
    const isAdministrator = where.all(where.equal(list, cid), where.equal("status", "active"));
    const administrators = await transaction.records(users).count(isAdministrator, now);
    if (administrators === 0) problems.set(cid, lastAdministrator(uuid, cid));
  }
  if (problems.size > 0) throw errors.conflict([...problems.values()]);
}

const lastAdministrator = (uuid: string, cid: string): Problem => ({
  at: "",
  id: uuid,
  message: `user ${uuid} is the last active administrator of the tenant ${cid}; first grant ${administratorRole} there to another active user, without an expiry`,
});
