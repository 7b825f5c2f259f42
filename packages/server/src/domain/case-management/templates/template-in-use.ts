import type { Transaction } from "../../../store/index.ts";
import { caseTemplates, templateSnapshots, type CaseTemplate } from "../kinds/templates.ts";

/** One version of a template, as its snapshot keeps it. */
export interface TemplateInUse {
  readonly snapshotId: string;
  readonly version: number;
  readonly template: CaseTemplate;
}

/** The newest version of a template; null if the tenant has no template with this id. */
export async function newestTemplate(
  transaction: Transaction,
  templateId: string,
): Promise<TemplateInUse | null> {
  const template = (
    await transaction.records(caseTemplates.resource).getForUpdate([templateId])
  ).get(templateId);
  return template === undefined ? null : templateOfSnapshot(transaction, template.snapshot_id);
}

/** The version that a case was created with; null if the snapshot is unknown. */
export async function templateOfSnapshot(
  transaction: Transaction,
  snapshotId: string,
): Promise<TemplateInUse | null> {
  const snapshot = (await transaction.records(templateSnapshots).getForUpdate([snapshotId])).get(
    snapshotId,
  );
  if (snapshot === undefined) return null;
  const { id, version, template } = snapshot;
  return { snapshotId: id, version, template: JSON.parse(template) as CaseTemplate };
}
