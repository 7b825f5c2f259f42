import { where } from "@security-platform/fql";
import type { Problem } from "../../../foundation/errors.ts";
import type { PlacedChange } from "../../../records/plain/kind.ts";
import type { Transaction } from "../../../store/index.ts";
import { policies } from "../policies/policies.ts";
import { recordsScreen, type StoredClassification } from "../classifications.ts";

/** Maximum number of policies listed in an error. */
const policiesListed = 100;

/** Problems of classifications whose rules capture the screen although a policy that uses them forbids it. */
export async function screenProblems(
  transaction: Transaction,
  changes: readonly PlacedChange<StoredClassification>[],
  now: Date,
): Promise<readonly Problem[]> {
  const recording = changes.filter(({ before, after }) => before !== null && recordsScreen(after));
  if (recording.length === 0) return [];
  const records = transaction.records(policies.resource);
  const { items } = await records.page({
    predicate: where.all(
      where.anyOf(
        "properties.classifications",
        recording.map(({ after }) => after.id),
      ),
      where.not(where.equal("properties.enable_screen_capture", true)),
    ),
    sort: [],
    limit: policiesListed,
    offset: 0,
    shape: "ids",
    now,
  });
  const forbidding = await records.getComplete(items, now);
  return recording.flatMap(({ at, after }) =>
    [...forbidding.values()]
      .filter(({ policy_properties }) => policy_properties.classifications.includes(after.id))
      .map(({ id, name }) => ({
        at: `${at}.classification_properties.rules`,
        id,
        message: `a rule would record the screen, which the ${policies.noun} ${id}, ${name}, does not allow; set its enable_screen_capture, or remove the classification from it`,
      })),
  );
}
