import { foldCase, where } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import { errors, type Problem } from "../../../foundation/errors.ts";
import type { Reaction, Transaction } from "../../../store/index.ts";
import {
  accessTagNoun,
  accessTags,
  newAccessTag,
  type AccessTag,
  type StoredAccessTag,
} from "../access-tags/access-tags.ts";
import { caseTemplates, type StoredTemplate } from "../kinds/templates.ts";

export type AccessTagInput = components["schemas"]["AccessTagInput"];

/** Access tags as a request names them; `boundTags` looks them up. */
export const tagsOf = (inputs: readonly AccessTagInput[], cid: string): AccessTag[] =>
  inputs.map(({ id = "", key = "" }) => ({ id, key, cid, templates: [] }));

interface Binding {
  /** The place of the template in the request. */
  readonly at: string;
  readonly before: StoredTemplate | null;
  /** The holder of new access tags. */
  readonly holder: string;
  readonly now: Date;
}

/** The access tags of a template. New keys create access tags; 400 for an unknown id. */
export async function boundTags(
  transaction: Transaction,
  { id, name, cid, access_tags: tags }: StoredTemplate,
  { at, before, holder, now }: Binding,
): Promise<readonly AccessTag[]> {
  const records = transaction.records(accessTags);
  const bound: AccessTag[] = [];
  const problems: Problem[] = [];
  for (const [index, tag] of tags.entries()) {
    const place = `${at}.access_tags[${index}]`;
    const stored = await find(transaction, tag);
    if (stored === undefined && tag.id !== "") {
      const message = `there is no ${accessTagNoun} ${tag.id}`;
      problems.push({ at: `${place}.id`, id: tag.id, message });
    } else if (
      stored !== undefined &&
      tag.key !== "" &&
      foldCase(stored.key) !== foldCase(tag.key)
    ) {
      const message = `the ${accessTagNoun} ${tag.id} has the key ${stored.key}; send one of id and key`;
      problems.push({ at: `${place}.key`, id: tag.id, message });
    } else if (bound.some((other) => other.id === stored?.id)) {
      problems.push({ at: place, message: `the ${accessTagNoun} is in the list already` });
    } else {
      const accessTag = stored ?? newAccessTag(tag.key, cid, holder);
      if (stored === undefined) {
        await records.insert([accessTag], now);
      }
      bound.push(withTemplate(accessTag, { id, name }));
    }
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
  // The request may contain the list as returned by a read.
  return before !== null && JSON.stringify(bound) === JSON.stringify(before.access_tags)
    ? before.access_tags
    : bound;
}

async function find(
  transaction: Transaction,
  { id, key }: AccessTag,
): Promise<StoredAccessTag | undefined> {
  const records = transaction.records(accessTags);
  if (id !== "") return (await records.getForUpdate([id])).get(id);
  const [storedId] = (await records.findDuplicates([foldCase(key)])).values();
  return storedId === undefined
    ? undefined
    : (await records.getForUpdate([storedId])).get(storedId);
}

function withTemplate(
  { id, key, cid, templates }: AccessTag,
  template: AccessTag["templates"][number],
): AccessTag {
  const others = templates.filter((other) => other.id !== template.id);
  return { id, key, cid, templates: [...others, template] };
}

/** Keeps the templates listed in access tags in sync with the templates, and vice versa. */
export const followTemplates: Reaction<StoredTemplate> = {
  run: async (transaction, changes, now) => {
    const changed = new Map<string, StoredAccessTag>();
    const records = transaction.records(accessTags);
    const affected = new Set(
      changes.flatMap(({ before, after }) => [...tagIds(before), ...tagIds(after)]),
    );
    const stored = await records.getForUpdate([...affected]);
    for (const { before, after } of changes) {
      for (const id of new Set([...tagIds(before), ...tagIds(after)])) {
        const tag = changed.get(id) ?? stored.get(id);
        if (tag === undefined) continue;
        const templates = templatesAfter(tag, before, after);
        if (JSON.stringify(templates) !== JSON.stringify(tag.templates)) {
          changed.set(id, { ...tag, templates });
        }
      }
    }
    if (changed.size === 0) return;
    await records.replace([...changed.values()], now);
    await showTags(transaction, changed, now);
  },
};

const tagIds = (template: StoredTemplate | null): readonly string[] =>
  (template?.access_tags ?? []).map(({ id }) => id);

function templatesAfter(
  tag: StoredAccessTag,
  before: StoredTemplate | null,
  after: StoredTemplate | null,
): AccessTag["templates"] {
  const id = (after ?? before)?.id;
  const others = tag.templates.filter((template) => template.id !== id);
  if (after === null || !tagIds(after).includes(tag.id)) return others;
  const listedTemplate = tag.templates.find((template) => template.id === id);
  if (listedTemplate?.name === after.name) return tag.templates;
  return [...others, { id: after.id, name: after.name }];
}

/** Updates every template that has a changed access tag. */
async function showTags(
  transaction: Transaction,
  changed: ReadonlyMap<string, StoredAccessTag>,
  now: Date,
): Promise<void> {
  const templates = transaction.records(caseTemplates.resource);
  const users = await templates.findForUpdate(
    where.anyOf("access_tag_ids", [...changed.keys()]),
    now,
  );
  const shown = users.flatMap((template) => {
    const access_tags = template.access_tags.map((tag) => ({
      ...tag,
      templates: changed.get(tag.id)?.templates ?? tag.templates,
    }));
    const isSame = JSON.stringify(access_tags) === JSON.stringify(template.access_tags);
    return isSame ? [] : [{ ...template, access_tags }];
  });
  if (shown.length > 0) await templates.replace(shown, now);
}
