import { newIdentifier } from "../../../identifiers.ts";
import type { components } from "@security-platform/spec";
import { errors, type Problem } from "../../../errors.ts";
import type { Wanted } from "../../../records/plain/kind.ts";
import { moved } from "../../../records/precedence.ts";
import type { Transaction, WritableRecords } from "../../../store/types.ts";
import { afterAll, insertAt, takeTail } from "./order.ts";
import {
  newPolicy,
  ofPlatform,
  policies,
  policiesOfPlatform,
  type Authorship,
  type Policy,
} from "./policies.ts";
import { changedProperties } from "./properties.ts";
import { defaultProperties, type Platform } from "./property-table.ts";
import { refuseBadSurroundings } from "./references.ts";

type Input = components["schemas"]["DataProtectionPolicyInput"];

/**
 * Stores the policies that the inputs describe, at the places they ask for, and gives them. Throws what
 * entities.policy.post.v2 answers to inputs that cannot be stored.
 */
export async function createPolicies(
  transaction: Transaction,
  platform: Platform,
  inputs: readonly Input[],
  authorship: Authorship,
): Promise<readonly Policy[]> {
  const { now } = authorship;
  const wanted = readInputs(transaction.cid, platform, inputs, authorship);
  await refuseBadSurroundings(transaction, wanted);
  const records = transaction.records(policies.resource);
  await requireRoom(records, platform, wanted, now);
  const places = inputs.map(({ precedence }) => precedence ?? afterAll);
  const tail = await takeTail(records, platform, Math.min(...places), now);
  for (const [index, { after }] of wanted.entries()) {
    insertAt(tail, after, places[index] ?? afterAll);
  }
  const settled = new Map(moved(tail.ordered, tail.from).map((policy) => [policy.id, policy]));
  const created = wanted.map(({ after }) => settled.get(after.id) ?? after);
  for (const { id } of created) settled.delete(id);
  await records.insert(created, now);
  await records.replace([...settled.values()], now);
  return created;
}

function readInputs(
  cid: string,
  platform: Platform,
  inputs: readonly Input[],
  { actor, now }: Authorship,
): readonly Wanted<Policy>[] {
  const problems: Problem[] = [];
  const wanted: Wanted<Policy>[] = [];
  const written = { at: now.toISOString(), by: actor };
  for (const [index, { name, description, policy_properties = {} }] of inputs.entries()) {
    const at = `body.resources[${index}]`;
    const before = defaultProperties(platform);
    const place = `${at}.policy_properties`;
    const changed = changedProperties(platform, before, policy_properties, place);
    if ("problems" in changed) {
      problems.push(...changed.problems);
      continue;
    }
    const after = newPolicy({
      id: newIdentifier(),
      cid,
      name,
      description,
      platform,
      isDefault: false,
      // No place of the order, so that it gets its own.
      precedence: -1,
      properties: changed.properties,
      written,
    });
    wanted.push({ at, before: null, after });
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
  return wanted;
}

async function requireRoom(
  records: WritableRecords<Policy>,
  platform: Platform,
  wanted: readonly Wanted<Policy>[],
  now: Date,
): Promise<void> {
  const count = await records.count(ofPlatform(platform), now);
  const room = policiesOfPlatform + 1 - count;
  const first = wanted[room];
  if (first === undefined) return;
  const message = `${platform} has ${policiesOfPlatform} policies then, which is all that a platform can have; delete some first`;
  throw errors.conflict([{ at: first.at, message }]);
}
