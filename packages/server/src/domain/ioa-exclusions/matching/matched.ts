import { compareCodePoints, foldCase } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import { errors } from "../../../foundation/errors.ts";
import { perStore, type RecordText, type Store } from "../../../store/index.ts";
import { exclusions } from "../exclusions.ts";
import { hostGroupsOf } from "../host-groups-of.ts";
import { CompiledExpressions } from "./compiled-expressions.ts";
import type { Entry } from "./exclusion-set.ts";
import { ExclusionSets } from "./exclusion-sets.ts";
import { linesOf } from "./process-lines.ts";

type Request = components["schemas"]["SsIoaMatchedRuleRequest"];

/** Maximum number of exclusions in a response. */
const answerCeiling = 10_000;

const expressions = new CompiledExpressions();
const setsOf = perStore(() => new ExclusionSets());

/** Exclusions that match a process, as record texts, ordered by name. */
export async function matchedExclusions(
  store: Store,
  { cid, now }: { readonly cid: string; readonly now: Date },
  { aid, pattern_ids, ...process }: Request,
): Promise<readonly RecordText[]> {
  const set = await setsOf(store).of(store, cid, now);
  const groups = await hostGroupsOf(store, cid, aid, now);
  const matched = await set.matching(
    linesOf(process),
    new Set(pattern_ids),
    reaching(groups),
    expressions,
    answerCeiling,
  );
  if (matched.length > answerCeiling) {
    const message = `more than ${answerCeiling} exclusions match; send fewer patterns`;
    throw errors.invalidRequest([{ at: "body.pattern_ids", message }]);
  }
  const ids = matched.toSorted(byName).map(({ id }) => id);
  // Read again, because an exclusion that was deleted in the meantime excludes nothing.
  const texts = await store.records(exclusions, { cid }).get(ids, now);
  return ids.flatMap((id) => texts.get(id) ?? []);
}

/** An unknown host matches exclusions of any host group. */
function reaching(groups: readonly string[] | null): (entry: Entry) => boolean {
  if (groups === null) return () => true;
  const present = new Set(groups);
  return ({ hostGroups }) => hostGroups === null || hostGroups.some((id) => present.has(id));
}

const byName = (left: Entry, right: Entry): number =>
  compareCodePoints(foldCase(left.name), foldCase(right.name)) ||
  compareCodePoints(left.id, right.id);
