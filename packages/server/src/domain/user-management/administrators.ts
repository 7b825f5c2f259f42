import type { Predicate } from "@security-platform/fql";
import { errors, type Problem } from "../../errors.ts";
import type { Transaction } from "../../store/types.ts";
import { administratorRole } from "./reach.ts";
import { users, type StoredUser } from "../../access/users.ts";

/** Of each tenant one user stays in each: an administrator, and one whom no expiry ends. */
const lists = ["administered_cids", "lastingly_administered_cids"] as const;

/** A user who is an active administrator of a tenant no more, or none whom no expiry ends. */
export interface AdministratorLoss {
  readonly list: (typeof lists)[number];
  readonly cid: string;
  readonly uuid: string;
}

/** What a change of a user takes from tenants. `after`: undefined when the user goes. */
export function administratorsLost(
  before: StoredUser,
  after: StoredUser | undefined,
): readonly AdministratorLoss[] {
  if (before.status !== "active") return [];
  return lists.flatMap((list) =>
    before[list]
      .filter((cid) => after?.[list].includes(cid) !== true)
      .map((cid) => ({ list, cid, uuid: before.uuid })),
  );
}

/** Comes after the writes that brought these losses: 409 where one of the tenants has no other left. */
export async function keepAdministrators(
  transaction: Transaction,
  losses: readonly AdministratorLoss[],
  now: Date,
): Promise<void> {
  const problems = new Map<string, Problem>();
  const asked = new Set<string>();
  for (const { list, cid, uuid } of losses) {
    const question = `${list}/${cid}`;
    if (asked.has(question)) continue;
    asked.add(question);
    // oxlint-disable-next-line no-await-in-loop -- one transaction, one or two tenants
    const left = await transaction.records(users).count(activeIn(list, cid), now);
    if (left === 0) problems.set(cid, lastOne(uuid, cid));
  }
  if (problems.size > 0) throw errors.conflict([...problems.values()]);
}

const activeIn = (list: string, cid: string): Predicate => ({
  kind: "and",
  operands: [
    { kind: "equal", field: list, value: cid, fold: false },
    { kind: "equal", field: "status", value: "active", fold: false },
  ],
});

const lastOne = (uuid: string, cid: string): Problem => ({
  at: "",
  id: uuid,
  message: `user ${uuid} is the last active administrator of the tenant ${cid}; first grant ${administratorRole} there to another active user, without an expiry`,
});
