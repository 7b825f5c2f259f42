import { errors, type Problem } from "../../../foundation/errors.ts";
import type { Kind, Reference, PlacedChange } from "../../../records/plain/kind.ts";
import { refuseBadReferences } from "../../../records/plain/references.ts";
import type { Transaction } from "../../../store/index.ts";
import { hostGroups, type HostGroup } from "../../../inventory/host-groups.ts";
import { classifications, recordsScreen, type StoredClassification } from "../classifications.ts";
import { policies, type Policy } from "./policies.ts";

const groups: Kind<HostGroup> = { noun: "host group", resource: hostGroups };

const references: readonly Reference<Policy>[] = [
  { member: "host_groups", target: groups },
  {
    member: "policy_properties",
    target: classifications,
    namesIn: ({ policy_properties }) =>
      policy_properties.classifications.map((id, index) => ({
        id,
        place: `.policy_properties.classifications[${index}]`,
      })),
  },
];

/**
 * Throws 400 for policies with unknown host groups or classifications, and 409 for policies that forbid
 * screen capture although a rule of their classifications uses it.
 */
export async function refuseBadReferencesOf(
  transaction: Transaction,
  changes: readonly PlacedChange<Policy>[],
): Promise<void> {
  await refuseBadReferences(transaction, changes, references);
  const problems = await screenProblems(transaction, changes);
  if (problems.length > 0) throw errors.conflict(problems);
}

export const allowsScreen = ({ policy_properties }: Policy): boolean =>
  policy_properties.enable_screen_capture === true;

async function screenProblems(
  transaction: Transaction,
  changes: readonly PlacedChange<Policy>[],
): Promise<readonly Problem[]> {
  const forbidding = changes.filter(({ after }) => !allowsScreen(after));
  const ids = forbidding.flatMap(({ after }) => after.policy_properties.classifications);
  const named = await transaction.records(classifications.resource).getForUpdate([...new Set(ids)]);
  return forbidding.flatMap(({ at, before, after }) => {
    const recording = after.policy_properties.classifications.flatMap((id) => {
      const classification = named.get(id);
      return classification !== undefined && recordsScreen(classification) ? [classification] : [];
    });
    const turnedOff = before !== null && allowsScreen(before);
    return recording.map((classification): Problem => ({
      at: `${at}.policy_properties.${turnedOff ? "enable_screen_capture" : "classifications"}`,
      id: classification.id,
      message: refusal(after, classification),
    }));
  });
}

function refusal({ platform_name }: Policy, { id, name }: StoredClassification): string {
  const recording = `rules of the classification ${id}, ${name}, record the screen`;
  return platform_name === "mac"
    ? `${recording}, which no ${policies.noun} of mac allows`
    : `${recording}; enable_screen_capture has to be true for that`;
}
