/**
 * The order of a platform's policies: precedence starts at 0 and has no gaps, and the default policy is
 * last.
 */
import { errors, type Problem } from "../../../foundation/errors.ts";
import { byPrecedence, moved, orderProblems, renumber } from "../../../records/precedence.ts";
import type { Writing } from "../../../records/write.ts";
import type { WritableRecords } from "../../../store/index.ts";
import {
  fromPlace,
  modification,
  ofPlatform,
  policies,
  maximumPolicies,
  type Policy,
} from "./policies.ts";
import type { Platform } from "./property-table.ts";

/** The policies of a platform from a precedence to the end, while they are reordered. */
export interface Tail {
  readonly from: number;
  readonly ordered: Policy[];
}

/** The precedence of a new policy without a requested one: last. */
export const afterAll = maximumPolicies;

/** Locks the policies from `place` to the end; for a place beyond the end, only the default policy. */
export async function takeTail(
  records: WritableRecords<Policy>,
  platform: Platform,
  place: number,
  now: Date,
): Promise<Tail> {
  const count = await records.count(ofPlatform(platform), now);
  const from = Math.max(0, Math.min(place, count - 1));
  const locked = await records.findForUpdate(fromPlace(platform, from), now);
  return { from, ordered: [...byPrecedence(locked)] };
}

/** Inserts a policy at a place, or before the default policy if the place is beyond the end. */
export function insertAt({ from, ordered }: Tail, policy: Policy, place: number): void {
  ordered.splice(Math.min(place - from, ordered.length - 1), 0, policy);
}

export function moveTo(tail: Tail, id: string, place: number): void {
  const at = tail.ordered.findIndex((policy) => policy.id === id);
  const [policy] = tail.ordered.splice(at, 1);
  if (policy !== undefined) insertAt(tail, policy, place);
}

/** Renumbers the policies from `place`, where the first removed policy was, to the end. */
export async function closeGaps(
  records: WritableRecords<Policy>,
  platform: Platform,
  place: number,
  now: Date,
): Promise<void> {
  const locked = await records.findForUpdate(fromPlace(platform, place), now);
  await renumber(records, byPrecedence(locked), { first: place, now });
}

/** The order requested by a list, and the place of the list in the request. */
export interface RequestedOrder {
  readonly at: string;
  readonly platform: Platform;
  readonly ids: readonly string[];
}

/**
 * Puts the policies of platforms in the requested orders, default policies last, and returns them in order.
 * 400 unless each list names every policy. A policy with a new precedence counts as modified.
 */
export async function setOrders(
  writing: Writing,
  requested: readonly RequestedOrder[],
): Promise<readonly Policy[]> {
  refusePlatformTwice(requested);
  const records = writing.records(policies.resource);
  const problems: Problem[] = [];
  const orders: (readonly Policy[])[] = [];
  for (const order of requested) {
    const read = await readOrder(records.stored, order, writing.now);
    if ("problems" in read) problems.push(...read.problems);
    else orders.push(read.ordered);
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
  const changed = orders
    .flatMap((ordered) => moved(ordered, 0))
    .map((policy) => ({ ...policy, ...modification(writing.author) }));
  await records.stored.replace(changed, writing.now);
  const changedById = new Map(changed.map((policy) => [policy.id, policy]));
  const ordered = orders.flat().map((policy) => changedById.get(policy.id) ?? policy);
  writing.audit(ordered.map(({ id }) => id));
  return ordered;
}

function refusePlatformTwice(requested: readonly RequestedOrder[]): void {
  const [first, second] = requested;
  if (first === undefined || first.platform !== second?.platform) return;
  const message = `${first.at} already contains the order of ${first.platform}; send one for each platform`;
  throw errors.invalidRequest([{ at: `${second.at}.platform`, message }]);
}

async function readOrder(
  records: WritableRecords<Policy>,
  { at, platform, ids }: RequestedOrder,
  now: Date,
): Promise<{ ordered: readonly Policy[] } | { problems: readonly Problem[] }> {
  const all = await records.findForUpdate(ofPlatform(platform), now);
  const own = new Map(all.map((policy) => [policy.id, policy]));
  const elsewhere = await records.getForUpdate(ids.filter((id) => !own.has(id)));
  const problems = orderProblems(
    all.filter((policy) => !policy.is_default),
    {
      at: `${at}.precedence`,
      ids,
      all: `policy of ${platform} but the default one`,
      refuse: (id) => {
        if (own.has(id)) return `${id} is the default policy, which stays last; omit it`;
        const other = elsewhere.get(id);
        return other === undefined
          ? `there is no data protection policy ${id}`
          : `${id} is a policy of ${other.platform_name}, not of ${platform}`;
      },
    },
  );
  if (problems.length > 0) return { problems };
  const last = all.filter((policy) => policy.is_default);
  return { ordered: [...ids.flatMap((id) => own.get(id) ?? []), ...last] };
}
