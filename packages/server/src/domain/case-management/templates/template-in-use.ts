import type { components } from "@security-platform/spec";
import type { Transaction } from "../../../store/types.ts";

/** One version of a template, as its snapshot keeps it. */
export interface TemplateInUse {
  readonly snapshotId: string;
  readonly version: number;
  readonly template: components["schemas"]["CaseTemplate"];
}

/** The newest version of a template; null if the tenant has none of this id. */
export async function newestTemplate(
  _transaction: Transaction,
  _templateId: string,
): Promise<TemplateInUse | null> {
  return null;
}

/** The version that a case was created with; null if the snapshot is unknown. */
export async function templateOfSnapshot(
  _transaction: Transaction,
  _snapshotId: string,
): Promise<TemplateInUse | null> {
  return null;
}
