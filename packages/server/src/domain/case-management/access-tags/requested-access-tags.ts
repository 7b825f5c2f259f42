import { foldCase, where } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import type { Problem } from "../../../foundation/errors.ts";
import type { Transaction } from "../../../store/index.ts";
import type { CaseReader } from "./reader.ts";
import { accessTags, type StoredAccessTag } from "./access-tags.ts";

type Schemas = components["schemas"];
export type CaseAccessTag = Schemas["CaseAccessTag"];

/**
 * The access tags that a request names by id or key, without duplicates, and a problem for each
 * unknown one.
 */
export async function requestedAccessTags(
  transaction: Transaction,
  inputs: readonly Schemas["CaseAccessTagInput"][],
  { at, now }: { readonly at: string; readonly now: Date },
): Promise<{ readonly tags: readonly CaseAccessTag[]; readonly problems: readonly Problem[] }> {
  if (inputs.length === 0) return { tags: [], problems: [] };
  const records = transaction.records(accessTags);
  const stored = await records.findForUpdate(
    where.any(
      where.anyOf(
        "id",
        inputs.flatMap(({ id }) => id ?? []),
      ),
      ...inputs.flatMap(({ key }) => (key === undefined ? [] : [where.equalFolded("key", key)])),
    ),
    now,
  );
  const byId = new Map(stored.map((tag) => [tag.id, tag]));
  const byKey = new Map(stored.map((tag) => [foldCase(tag.key), tag]));
  const tags = new Map<string, CaseAccessTag>();
  const problems: Problem[] = [];
  for (const [index, { id, key }] of inputs.entries()) {
    const tag = id === undefined ? byKey.get(foldCase(key ?? "")) : byId.get(id);
    if (tag === undefined) {
      const message = `there is no access tag ${id ?? key}; a template creates access tags`;
      problems.push({ at: `${at}[${index}]`, message });
    } else if (key !== undefined && foldCase(key) !== foldCase(tag.key)) {
      const message = `access tag ${id} has the key ${tag.key}, not ${key}; send one of id and key`;
      problems.push({ at: `${at}[${index}].key`, message });
    } else {
      tags.set(tag.id, ofCase(tag));
    }
  }
  return { tags: [...tags.values()], problems };
}

/** An access tag as cases show it. */
export const ofCase = ({
  id,
  key,
  cid,
}: StoredAccessTag | Schemas["AccessTag"]): CaseAccessTag => ({
  id,
  key,
  cid,
});

/**
 * A caller must hold one of the case's access tags, or the case would be hidden from the caller.
 */
export function lockOutProblems(
  { heldAccessTags }: CaseReader,
  tags: readonly CaseAccessTag[],
  at: string,
): readonly Problem[] {
  if (heldAccessTags === "all" || tags.length === 0) return [];
  if (tags.some(({ id }) => heldAccessTags.includes(id))) return [];
  const keys = tags.map(({ key }) => key).join(", ");
  const message = `you hold none of the access tags ${keys}, so you could not see the case`;
  return [{ at, message }];
}
