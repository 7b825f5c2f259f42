import { where } from "@security-platform/fql";
import type { Caller } from "../../../calls/call.ts";
import type { Context } from "../../../calls/context.ts";
import type { ReadScope, Records, Visibility } from "../../../store/index.ts";
import { accessTags, type StoredAccessTag } from "./access-tags.ts";

/** Who reads cases. */
export interface CaseReader extends ReadScope {
  /**
   * Ids of the access tags that the reader holds. `all`: the server itself, which sees every case.
   */
  readonly heldAccessTags: readonly string[] | "all";
}

/**
 * Cases with access tags, and what belongs to them, are visible to readers that hold one of the
 * tags.
 */
export const byAccessTags: Pick<Visibility<object, CaseReader>, "condition"> = {
  condition: ({ heldAccessTags: held }) =>
    held === "all"
      ? null
      : where.any(where.equal("restricted", false), where.anyOf("access_tag_ids", held)),
};

/** Sees every case of the tenant: commands and background work. */
export const everyCase = (cid: string): CaseReader => ({ cid, heldAccessTags: "all" });

interface ReadingCall {
  readonly caller: Caller;
  readonly context: Pick<Context, "store">;
  readonly now: Date;
}

/**
 * The holders through which the caller holds an access tag: the API client, or the user that it
 * acts as and that user's roles.
 */
const holderKeys = ({ clientId, user }: Caller): readonly string[] =>
  user === undefined ? [clientId] : [user.uuid, ...user.roles];

/** The identity that holds what the caller creates. */
export const ownHolderKey = ({ clientId, user }: Caller): string => user?.uuid ?? clientId;

/** The access tags that the caller holds. */
export const heldAccessTags = ({
  caller,
  context,
  now,
}: ReadingCall): Promise<ReadonlySet<string>> =>
  heldAmong(context.store.records(accessTags, { cid: caller.cid }), caller, now);

/** Like `heldAccessTags`, among the records of a transaction. */
export async function heldAmong(
  records: Pick<Records<StoredAccessTag>, "scanComplete">,
  caller: Caller,
  now: Date,
): Promise<ReadonlySet<string>> {
  const predicate = where.anyOf("holders", holderKeys(caller));
  const held = new Set<string>();
  for await (const batch of records.scanComplete(predicate, now)) {
    for (const { id } of batch) held.add(id);
  }
  return held;
}

/** The caller as a reader of cases. */
export const caseReader = async (call: ReadingCall): Promise<CaseReader> => ({
  cid: call.caller.cid,
  heldAccessTags: [...(await heldAccessTags(call))],
});
