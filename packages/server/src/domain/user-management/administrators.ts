import type { Predicate } from "@security-platform/fql";
import { errors, type Problem } from "../../errors.ts";
import type { Transaction } from "../../store/types.ts";
import { administratorRole } from "./reach.ts";
import { users, type StoredUser } from "./users.ts";

/**
 * 409 where a change of `before` takes the last active administrator from a tenant, or the last one
 * whom no expiry ends. `after`: undefined when the user goes.
 */
export async function keepAdministrators(
  transaction: Transaction,
  before: StoredUser,
  after: StoredUser | undefined,
  now: Date,
): Promise<void> {
  if (before.status !== "active") return;
  const lists = ["administered_cids", "lastingly_administered_cids"] as const;
  const problems = new Map<string, Problem>();
  for (const list of lists) {
    for (const cid of before[list].filter((each) => after?.[list].includes(each) !== true)) {
      // oxlint-disable-next-line no-await-in-loop -- one transaction, one or two tenants
      const others = await transaction.records(users).count(otherIn(list, cid, before.uuid), now);
      if (others === 0) problems.set(cid, lastOne(before.uuid, cid));
    }
  }
  if (problems.size > 0) throw errors.conflict([...problems.values()]);
}

const otherIn = (list: string, cid: string, uuid: string): Predicate => ({
  kind: "and",
  operands: [
    { kind: "equal", field: list, value: cid, fold: false },
    { kind: "equal", field: "status", value: "active", fold: false },
    { kind: "not", operand: { kind: "equal", field: "uuid", value: uuid, fold: false } },
  ],
});

const lastOne = (uuid: string, cid: string): Problem => ({
  at: "",
  id: uuid,
  message: `user ${uuid} is the last active administrator of the tenant ${cid}; first grant ${administratorRole} there to another active user, without an expiry`,
});
