import { where } from "@security-platform/fql";
import { indicators, type Indicator } from "../domain/ioc/indicators.ts";
import { insertAll, take, type Count, type Filling } from "./filling.ts";
import { namedGroupIds } from "./host-groups.ts";
import { seededIndicator } from "./indicators.ts";
import { Random } from "./random.ts";

/** Stores the indicators. The last ones are stored as deleted, as examples for `deleted:true`. */
export async function fillIndicators(filling: Filling, count: Count): Promise<void> {
  const { plan } = filling;
  const live = plan.indicators - plan.deleted;
  await insertAll(filling, indicators, take(indicatorsOf(filling), 0, live), count);
  const deleted = [...take(indicatorsOf(filling), live, plan.indicators)];
  await insertDeleted(filling, deleted);
  count(deleted.length);
}

export function* indicatorsOf({ plan, seed, purpose, base, users }: Filling): Generator<Indicator> {
  const hostGroups = namedGroupIds(new Random(seed, `${purpose}/host-groups`));
  const random = new Random(seed, `${purpose}/indicators`);
  // The administrator, the analyst and the responder; others never change indicators.
  const [first, ...others] = users.slice(0, 3).map(({ uuid }) => uuid);
  if (first === undefined) throw new Error("indicators have authors");
  const made = { hostGroups, authors: [first, ...others] as const };
  for (let index = 0; index < plan.indicators; index += 1) {
    yield seededIndicator(random, index, base, made);
  }
}

async function insertDeleted(
  { store, tenant, base, existed }: Filling,
  records: readonly Indicator[],
): Promise<void> {
  const now = new Date(base);
  const deleted = where.equal("deleted", true);
  await store.write(tenant.cid, async (transaction) => {
    const writable = transaction.records(indicators);
    if (existed && (await writable.count(deleted, now)) > 0) return;
    await writable.insert(records, now);
    await writable.remove(
      records.map(({ id }) => id),
      now,
    );
  });
}
