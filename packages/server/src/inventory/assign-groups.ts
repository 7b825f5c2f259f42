import { where } from "@security-platform/fql";
import type { Clock } from "../foundation/clock.ts";
import type { JobKind } from "../jobs/job-kind.ts";
import { runNow } from "../jobs/run-now.ts";
import type { Store, Transaction } from "../store/index.ts";
import { GroupRules } from "./group-rules.ts";
import { hosts } from "./hosts.ts";

export const assignGroupsKind = "hosts.assign";

const batch = 1_000;

/**
 * Updates the group ids of all hosts of a tenant, in a transaction for each batch: other writes run in
 * between. An attempt that was cut off can be repeated, as hosts with the right groups stay unchanged.
 */
export const assignGroups = (store: Store): JobKind => ({
  name: assignGroupsKind,
  run: async ({ cid, now, signal, write }) => {
    let rules: GroupRules | undefined;
    let changed = 0;
    /** Returns the number of processed hosts, which one transaction limits. */
    const assign = async (transaction: Transaction, ids: readonly string[]): Promise<number> => {
      const current = await GroupRules.load(transaction, now, rules);
      rules = current;
      const writable = transaction.records(hosts);
      const some = ids.slice(0, current.hostsPerTransaction);
      const different = await current.changed([...(await writable.getForUpdate(some)).values()]);
      if (different.length > 0) await writable.replace(different, now);
      changed += different.length;
      return some.length;
    };
    // Newer hosts are stored with the right groups.
    for await (const ids of store.records(hosts, { cid }).scanIds(where.everything, now, batch)) {
      for (let done = 0; done < ids.length;) {
        signal.throwIfAborted();
        const rest = ids.slice(done);
        done += await write((transaction) => assign(transaction, rest));
      }
    }
    return { commit: async () => ({ changed }) };
  },
});

/** Runs the tenants' jobs of this kind now, for commands that work without a server. */
export const runGroupAssignments = (store: Store, clock: Clock): Promise<void> =>
  runNow(store, clock, assignGroups(store));
