import { where } from "@security-platform/fql";
import { newIdentifier } from "../../../foundation/identifiers.ts";
import { type Reaction, type Transaction, servedPart } from "../../../store/index.ts";
import type { StoredSla } from "../kinds/slas.ts";
import { created, lastStamp, type Stamp } from "../stamps.ts";
import {
  caseTemplates,
  templateSnapshots,
  type StoredSnapshot,
  type StoredTemplate,
} from "../kinds/templates.ts";

/** Adds a snapshot of a template's new version, and returns the template with it. */
export async function withSnapshot(
  transaction: Transaction,
  template: StoredTemplate,
  stamp: Stamp,
  now: Date,
): Promise<StoredTemplate> {
  const { id, cid, name } = template;
  const version = template.version + 1;
  const snapshot: StoredSnapshot = {
    id: newIdentifier(),
    cid,
    template_id: id,
    version,
    template: templateText(template),
    ...created(stamp),
    name,
  };
  await transaction.records(templateSnapshots).insert([snapshot], now);
  return { ...template, version, snapshot_id: snapshot.id };
}

/** The template as it is served. */
export const templateText = (template: StoredTemplate): string =>
  JSON.stringify(servedPart(caseTemplates.resource, template));

/** A change of an SLA creates a new version of the templates that use it. */
export const followSlas: Reaction<StoredSla> = {
  run: async (transaction, changes, now) => {
    const templates = transaction.records(caseTemplates.resource);
    for (const { before, after } of changes) {
      if (before === null || after === null) continue;
      const users = await templates.findForUpdate(where.equal("sla_ids", after.id), now);
      const renewed: StoredTemplate[] = [];
      for (const user of users) {
        renewed.push(await withSnapshot(transaction, user, lastStamp(after), now));
      }
      if (renewed.length > 0) await templates.replace(renewed, now);
    }
  },
};
