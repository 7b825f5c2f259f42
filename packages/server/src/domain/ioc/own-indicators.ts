import type { Context } from "../../calls/context.ts";
import { errors } from "../../foundation/errors.ts";
import { write, type Writing, type WritingCall } from "../../records/write.ts";
import { indicatorNoun, indicators, type Indicator } from "./indicators.ts";
import { inheritedIndicators } from "./inherited.ts";

type Call = WritingCall & { readonly context: Context };

/**
 * Changes indicators of the tenant by id. `work` receives them locked, in the order of `ids`. 404 for ids
 * that do not exist; 403 if all remaining ids are inherited indicators.
 */
export async function writeOwn<Result>(
  call: Call,
  ids: readonly string[],
  work: (writing: Writing, stored: readonly Indicator[]) => Promise<Result>,
): Promise<Result> {
  const outcome = await write(call, async (writing) => {
    const stored = await writing.records(indicators).stored.getForUpdate(ids);
    const missing = ids.filter((id) => !stored.has(id));
    if (missing.length > 0) return { missing };
    const own = ids.flatMap((id) => stored.get(id) ?? []);
    return { result: await work(writing, own) };
  });
  if ("missing" in outcome) return refuseMissing(call, outcome.missing);
  return outcome.result;
}

/** Runs outside the transaction, because it reads other tenants. */
async function refuseMissing(
  { caller, context, now }: Call,
  ids: readonly string[],
): Promise<never> {
  const scope = { cid: caller.cid, records: "inherited" } as const;
  const inherited = await context.store.records(indicators, scope).get(ids, now);
  const unknown = ids.filter((id) => !inherited.has(id));
  throw unknown.length > 0
    ? errors.recordsNotFound(indicatorNoun, unknown)
    : inheritedIndicators(ids);
}
