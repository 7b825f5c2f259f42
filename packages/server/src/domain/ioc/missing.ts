import type { Context } from "../../context.ts";
import { errors } from "../../errors.ts";
import type { Caller } from "../../call.ts";
import { indicatorNoun, indicators } from "./indicators.ts";
import { inheritedIndicators } from "./sight.ts";

/**
 * What to answer to a write that names indicators which are not the tenant's own: 403 when all of
 * them are inherited, else 404 for those that do not exist.
 */
export async function refuseForeign(
  { caller, context, now }: { caller: Caller; context: Context; now: Date },
  ids: readonly string[],
): Promise<never> {
  const sight = { cid: caller.cid, records: "inherited" } as const;
  const inherited = await context.store.records(indicators, sight).get(ids, now);
  const unknown = ids.filter((id) => !inherited.has(id));
  throw unknown.length > 0
    ? errors.recordsNotFound(indicatorNoun, unknown)
    : inheritedIndicators(ids);
}
