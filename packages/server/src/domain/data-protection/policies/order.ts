/** The order of a platform's policies: from 0 without gaps, the default one at its end. */
import { errors, type Problem } from "../../../errors.ts";
import { byPrecedence, moved, orderProblems, renumber } from "../../../records/precedence.ts";
import type { Transaction, WritableRecords } from "../../../store/types.ts";
import {
  fromPlace,
  modification,
  ofPlatform,
  policies,
  policiesOfPlatform,
  type Authorship,
  type Policy,
} from "./policies.ts";
import type { Platform } from "./property-table.ts";

/** The policies of a platform from a place on, as long as they are being put in order. */
export interface Tail {
  readonly from: number;
  readonly ordered: Policy[];
}

/** What comes after the others is beyond the end for whoever asks for a place. */
export const afterAll = policiesOfPlatform;

/** Takes those at `place` and after it; of a place beyond the end, the default policy alone. */
export async function takeTail(
  records: WritableRecords<Policy>,
  platform: Platform,
  place: number,
  now: Date,
): Promise<Tail> {
  const count = await records.count(ofPlatform(platform), now);
  const from = Math.max(0, Math.min(place, count - 1));
  const taken = await records.takeMatching(fromPlace(platform, from), now);
  return { from, ordered: [...byPrecedence(taken)] };
}

/** Puts a policy at a place, or as near to it as the default policy leaves room. */
export function insertAt({ from, ordered }: Tail, policy: Policy, place: number): void {
  ordered.splice(Math.min(place - from, ordered.length - 1), 0, policy);
}

export function moveTo(tail: Tail, id: string, place: number): void {
  const at = tail.ordered.findIndex((policy) => policy.id === id);
  const [policy] = tail.ordered.splice(at, 1);
  if (policy !== undefined) insertAt(tail, policy, place);
}

/** Closes the order up after policies of it were removed, of which the first had this place. */
export async function closeGaps(
  records: WritableRecords<Policy>,
  platform: Platform,
  place: number,
  now: Date,
): Promise<void> {
  const taken = await records.takeMatching(fromPlace(platform, place), now);
  await renumber(records, byPrecedence(taken), { first: place, now });
}

/** The order that a list asks for, and where it stands in the request. */
export interface WantedOrder {
  readonly at: string;
  readonly platform: Platform;
  readonly ids: readonly string[];
}

/**
 * Puts the policies of platforms in the orders asked for and gives them so, the default ones last;
 * 400 with all that the lists lack. Those that get another place by it count as modified.
 */
export async function setOrders(
  transaction: Transaction,
  wanted: readonly WantedOrder[],
  authorship: Authorship,
): Promise<readonly Policy[]> {
  refusePlatformTwice(wanted);
  const records = transaction.records(policies.resource);
  const problems: Problem[] = [];
  const orders: (readonly Policy[])[] = [];
  for (const order of wanted) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction, at most two platforms
    const read = await readOrder(records, order, authorship.now);
    if ("problems" in read) problems.push(...read.problems);
    else orders.push(read.ordered);
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
  const changed = orders
    .flatMap((ordered) => moved(ordered, 0))
    .map((policy) => ({ ...policy, ...modification(authorship) }));
  await records.replace(changed, authorship.now);
  const settled = new Map(changed.map((policy) => [policy.id, policy]));
  return orders.flat().map((policy) => settled.get(policy.id) ?? policy);
}

function refusePlatformTwice(wanted: readonly WantedOrder[]): void {
  const [first, second] = wanted;
  if (first === undefined || first.platform !== second?.platform) return;
  const message = `the order of ${first.platform} is in ${first.at} already; send one for each platform`;
  throw errors.invalidRequest([{ at: `${second.at}.platform`, message }]);
}

async function readOrder(
  records: WritableRecords<Policy>,
  { at, platform, ids }: WantedOrder,
  now: Date,
): Promise<{ ordered: readonly Policy[] } | { problems: readonly Problem[] }> {
  const all = await records.takeMatching(ofPlatform(platform), now);
  const own = new Map(all.map((policy) => [policy.id, policy]));
  const elsewhere = await records.take(ids.filter((id) => !own.has(id)));
  const problems = orderProblems(
    all.filter((policy) => !policy.is_default),
    {
      at: `${at}.precedence`,
      ids,
      all: `policy of ${platform} but the default one`,
      refuse: (id) => {
        if (own.has(id)) return `${id} is the default policy, which stays last; leave it out`;
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
