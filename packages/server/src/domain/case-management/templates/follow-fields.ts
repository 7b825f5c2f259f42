import type { Reaction } from "../../../store/index.ts";
import { caseFieldRecords, type StoredField, type StoredTemplate } from "../kinds/templates.ts";

/** Keeps the records of the fields in sync with the templates. */
export const followFields: Reaction<StoredTemplate> = {
  run: async (transaction, changes, now) => {
    const records = transaction.records(caseFieldRecords.resource);
    for (const { before, after } of changes) {
      const had = new Map(fieldsIn(before).map((field) => [field.id, field]));
      const has = new Set(fieldsIn(after).map(({ id }) => id));
      const added = fieldsIn(after).filter(({ id }) => !had.has(id));
      const changed = fieldsIn(after).filter((field) => {
        const old = had.get(field.id);
        return old !== undefined && JSON.stringify(old) !== JSON.stringify(field);
      });
      const removed = [...had.keys()].filter((id) => !has.has(id));
      if (removed.length > 0) await records.remove(removed, now);
      if (changed.length > 0) await records.replace(changed, now);
      if (added.length > 0) await records.insert(added, now);
    }
  },
};

const fieldsIn = (template: StoredTemplate | null): readonly StoredField[] =>
  template === null
    ? []
    : template.fields.map((field) => ({ ...field, cid: template.cid, template_id: template.id }));
