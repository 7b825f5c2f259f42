import { newIdentifier } from "../../../foundation/identifiers.ts";
import type { components } from "@security-platform/spec";
import { errors, type Problem } from "../../../foundation/errors.ts";
import type { PlacedChange } from "../../../records/plain/kind.ts";
import { moved } from "../../../records/precedence.ts";
import type { Author, Writing } from "../../../records/write.ts";
import type { WritableRecords } from "../../../store/index.ts";
import { afterAll, insertAt, takeTail } from "./order.ts";
import { newPolicy, ofPlatform, policies, maximumPolicies, type Policy } from "./policies.ts";
import { changedProperties } from "./properties.ts";
import { defaultProperties, type Platform } from "./property-table.ts";
import { refuseBadReferencesOf } from "./references.ts";

type Input = components["schemas"]["DataProtectionPolicyInput"];

/**
 * Creates policies at their requested places. Throws the errors of entities.policy.post.v2 for invalid
 * inputs.
 */
export async function createPolicies(
  writing: Writing,
  platform: Platform,
  inputs: readonly Input[],
): Promise<readonly Policy[]> {
  const { now } = writing;
  const planned = readInputs(platform, inputs, writing.author);
  await refuseBadReferencesOf(writing.transaction, planned);
  const records = writing.records(policies.resource);
  await requireRoom(records.stored, platform, planned, now);
  const places = inputs.map(({ precedence }) => precedence ?? afterAll);
  const tail = await takeTail(records.stored, platform, Math.min(...places), now);
  for (const [index, { after }] of planned.entries()) {
    insertAt(tail, after, places[index] ?? afterAll);
  }
  const ordered = new Map(moved(tail.ordered, tail.from).map((policy) => [policy.id, policy]));
  const created = planned.map(({ after }) => ordered.get(after.id) ?? after);
  for (const { id } of created) ordered.delete(id);
  await records.insert(created);
  await records.stored.replace([...ordered.values()], now);
  return created;
}

function readInputs(
  platform: Platform,
  inputs: readonly Input[],
  { cid, actor, now }: Author,
): readonly PlacedChange<Policy>[] {
  const problems: Problem[] = [];
  const planned: PlacedChange<Policy>[] = [];
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
      // A placeholder; `moved` sets the precedence.
      precedence: -1,
      properties: changed.properties,
      written,
    });
    planned.push({ at, before: null, after });
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
  return planned;
}

async function requireRoom(
  records: WritableRecords<Policy>,
  platform: Platform,
  planned: readonly PlacedChange<Policy>[],
  now: Date,
): Promise<void> {
  const count = await records.count(ofPlatform(platform), now);
  const room = maximumPolicies + 1 - count;
  const first = planned[room];
  if (first === undefined) return;
  const message = `${platform} would have more than ${maximumPolicies} policies, the maximum; delete some first`;
  throw errors.conflict([{ at: first.at, message }]);
}
