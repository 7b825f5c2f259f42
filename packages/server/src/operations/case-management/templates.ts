import { canSee, withAccess } from "../../domain/case-management/access-tags/has-access.ts";
import { heldAccessTags, ownHolderKey } from "../../domain/case-management/access-tags/reader.ts";
import { stampOf } from "../../domain/case-management/stamps.ts";
import { deleteTemplates } from "../../domain/case-management/templates/delete-templates.ts";
import { findSnapshots } from "../../domain/case-management/templates/find-snapshots.ts";
import {
  caseFieldRecords,
  caseTemplates,
  templateSnapshots,
  type CaseTemplate,
} from "../../domain/case-management/templates/templates.ts";
import { templateRules } from "../../domain/case-management/templates/write-templates.ts";
import { exportTemplates } from "../../domain/case-management/transfer/export-templates.ts";
import { importTemplates } from "../../domain/case-management/transfer/run-import.ts";
import type { OperationHandlers } from "../../handler.ts";
import { listRecords } from "../../records/list.ts";
import { aggregateKind, getByIds, queryIds } from "../../records/plain/handlers.ts";
import { changeRecords, createRecords } from "../../records/plain/write.ts";
import { fqlTables } from "@security-platform/spec";
import type { Call, Caller } from "../../call.ts";

type WritingCall = Pick<Call, "context" | "now"> & { readonly caller: Caller };

const rulesOf = async (call: WritingCall) =>
  templateRules({ stamp: await stampOf(call), holder: ownHolderKey(call.caller) });

export const templateHandlers = {
  "aggregates.templates.post.v1": aggregateKind(caseTemplates),
  "queries.templates.get.v1": queryIds(caseTemplates),
  "entities.templates.get.v1": async (call) => {
    const answer = await getByIds(caseTemplates)(call);
    if (!call.query.with_has_access || answer.kind !== "records") return answer;
    const held = await heldAccessTags(call);
    const records = answer.records.map((text) => {
      const template = JSON.parse(text) as CaseTemplate;
      return JSON.stringify(withAccess(template, "workflows", canSee(template, held)));
    });
    return { kind: "records", records };
  },
  "entities.templates.post.v1": async (call) => ({
    kind: "records",
    records: await createRecords(call, await rulesOf(call), [{ at: "body", input: call.body }]),
  }),
  "entities.templates.patch.v1": async (call) => {
    const { id, ...changes } = call.body;
    return {
      kind: "records",
      records: await changeRecords(call, await rulesOf(call), [{ at: "body", id, changes }]),
    };
  },
  "entities.templates.delete.v1": async (call) => ({
    kind: "ids",
    ids: await deleteTemplates(call, call.query.ids),
  }),
  "entities.templates_export.get.v1": exportTemplates,
  "entities.templates_import.post.v1": importTemplates,

  "queries.template-snapshots.get.v1": (call) =>
    listRecords(call, {
      resource: templateSnapshots,
      shape: "ids",
      records: "own",
      fields: fqlTables["template-snapshots"].fields,
      order: () => [
        { field: "created_timestamp", direction: "desc" },
        { field: "version", direction: "desc" },
      ],
    }),
  "entities.template-snapshots.get.v1": findSnapshots,

  "queries.fields.get.v1": queryIds(caseFieldRecords),
  "entities.fields.get.v1": getByIds(caseFieldRecords),
} satisfies Partial<OperationHandlers>;
