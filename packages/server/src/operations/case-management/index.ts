import { fqlTables } from "@security-platform/spec";
import type { Answer } from "../../calls/answer.ts";
import { accessTagKind } from "../../domain/case-management/access-tags/access-tags.ts";
import { createCase } from "../../domain/case-management/cases/create-case.ts";
import {
  addEvidence,
  addTags,
  removeTags,
} from "../../domain/case-management/cases/extend-case.ts";
import { listCases } from "../../domain/case-management/cases/list-cases.ts";
import { updateCase } from "../../domain/case-management/cases/update-case.ts";
import { uploadFile } from "../../domain/case-management/files/add-file.ts";
import { deleteFiles, describeFile } from "../../domain/case-management/files/change-files.ts";
import { archiveLink, linksTo } from "../../domain/case-management/files/file-links.ts";
import {
  addFetchedFile,
  hostFileMetadata,
  requestHostFile,
} from "../../domain/case-management/files/host-retrieval.ts";
import { notificationGroups } from "../../domain/case-management/notifications/notification-groups.ts";
import { knownToVersion1 } from "../../domain/case-management/notifications/version-1.ts";
import { slas } from "../../domain/case-management/kinds/slas.ts";
import { slaRules } from "../../domain/case-management/slas/write-slas.ts";
import { stampOf } from "../../domain/case-management/stamps.ts";
import { deleteTemplates } from "../../domain/case-management/templates/delete-templates.ts";
import { findSnapshots } from "../../domain/case-management/templates/find-snapshots.ts";
import {
  caseFieldRecords,
  caseTemplates,
  templateSnapshots,
} from "../../domain/case-management/kinds/templates.ts";
import { exportTemplates } from "../../domain/case-management/transfer/export-templates.ts";
import { importTemplates } from "../../domain/case-management/transfer/run-import.ts";
import type { OperationHandlers } from "../../calls/handler.ts";
import { listRecords } from "../../records/list.ts";
import { aggregateKind, getByIds, queryIds } from "../../records/plain/handlers.ts";
import { createRecords } from "../../records/plain/write.ts";
import type { RecordText } from "../../store/index.ts";
import { aggregatesFileDetailsPostV1 } from "./aggregates.file-details.post.v1.ts";
import { entitiesAccessTagsGetV1 } from "./entities.access-tags.get.v1.ts";
import { entitiesCasesPostV2 } from "./entities.cases.post.v2.ts";
import { entitiesFileDetailsGetV1 } from "./entities.file-details.get.v1.ts";
import { entitiesMergePostV1 } from "./entities.merge.post.v1.ts";
import {
  entitiesNotificationGroupsDeleteV1,
  entitiesNotificationGroupsDeleteV2,
} from "./entities.notification-groups.delete.v2.ts";
import { entitiesNotificationGroupsGetV1 } from "./entities.notification-groups.get.v1.ts";
import {
  entitiesNotificationGroupsPatchV1,
  entitiesNotificationGroupsPatchV2,
} from "./entities.notification-groups.patch.v2.ts";
import {
  entitiesNotificationGroupsPostV1,
  entitiesNotificationGroupsPostV2,
} from "./entities.notification-groups.post.v2.ts";
import { entitiesSlasDeleteV1 } from "./entities.slas.delete.v1.ts";
import { entitiesSlasPatchV1 } from "./entities.slas.patch.v1.ts";
import { entitiesTemplatesGetV1 } from "./entities.templates.get.v1.ts";
import { entitiesTemplatesPatchV1 } from "./entities.templates.patch.v1.ts";
import { entitiesTemplatesPostV1 } from "./entities.templates.post.v1.ts";
import { listFiles } from "./queries.file-details.get.v1.ts";

const one = async (text: Promise<RecordText>): Promise<Answer> => ({
  kind: "records",
  records: [await text],
});

const linkRecords = (links: readonly string[]): Answer => ({
  kind: "records",
  records: links.map((link) => JSON.stringify({ link })),
});

const idsOf = (selectors: readonly { readonly id: string }[]): readonly string[] =>
  selectors.map(({ id }) => id);

export const caseManagementHandlers = {
  "aggregates.access-tags.post.v1": aggregateKind(accessTagKind),
  "entities.access-tags.get.v1": entitiesAccessTagsGetV1,
  "queries.access-tags.get.v1": queryIds(accessTagKind),

  "entities.alert-evidence.post.v1": (call) =>
    one(addEvidence(call, call.body.id, "alerts", idsOf(call.body.alerts))),
  "entities.case-tags.delete.v1": (call) => one(removeTags(call, call.query.id, call.query.tag)),
  "entities.case-tags.post.v1": (call) => one(addTags(call, call.body.id, call.body.tags)),
  "entities.cases.patch.v2": (call) => one(updateCase(call, call.body)),
  "entities.cases.post.v2": entitiesCasesPostV2,
  "entities.cases.put.v2": (call) => one(createCase(call, call.body)),
  "entities.event-evidence.post.v1": (call) =>
    one(addEvidence(call, call.body.id, "events", idsOf(call.body.events))),
  "entities.merge.post.v1": entitiesMergePostV1,
  "queries.cases.get.v1": (call) => listCases(call),

  "aggregates.file-details.post.v1": aggregatesFileDetailsPostV1,
  "combined.file-details.get.v1": (call) => listFiles(call, "records"),
  "entities.file-details.get.v1": entitiesFileDetailsGetV1,
  "entities.file-details.patch.v1": (call) => one(describeFile(call, call.body)),
  "entities.files.delete.v1": async (call) => ({
    kind: "ids",
    ids: await deleteFiles(call, call.query.ids),
  }),
  "entities.files_bulk-download.post.v1": async (call) =>
    linkRecords([await archiveLink(call, call.body.ids, "body.ids")]),
  "entities.files_download.get.v1": async (call) =>
    linkRecords(await linksTo(call, [call.query.id], "query.id")),
  "entities.files_download.post.v1": async (call) =>
    linkRecords(await linksTo(call, call.body.ids, "body.ids")),
  "entities.files_upload.post.v1": (call) => one(uploadFile(call)),
  "entities.get-rtr-file-metadata.post.v1": async (call) => ({
    kind: "records",
    records: [JSON.stringify(await hostFileMetadata(call, call.body))],
  }),
  "entities.retrieve-rtr-file.post.v1": (call) => one(requestHostFile(call, call.body)),
  "entities.retrieve-rtr-recent-file.post.v1": (call) => one(addFetchedFile(call, call.body)),
  "queries.file-details.get.v1": (call) => listFiles(call, "ids"),

  "aggregates.notification-groups.post.v1": aggregateKind(notificationGroups, knownToVersion1),
  "aggregates.notification-groups.post.v2": aggregateKind(notificationGroups),
  "entities.notification-groups.delete.v1": entitiesNotificationGroupsDeleteV1,
  "entities.notification-groups.delete.v2": entitiesNotificationGroupsDeleteV2,
  "entities.notification-groups.get.v1": entitiesNotificationGroupsGetV1,
  "entities.notification-groups.get.v2": getByIds(notificationGroups),
  "entities.notification-groups.patch.v1": entitiesNotificationGroupsPatchV1,
  "entities.notification-groups.patch.v2": entitiesNotificationGroupsPatchV2,
  "entities.notification-groups.post.v1": entitiesNotificationGroupsPostV1,
  "entities.notification-groups.post.v2": entitiesNotificationGroupsPostV2,
  "queries.notification-groups.get.v1": queryIds(notificationGroups, () => knownToVersion1),
  "queries.notification-groups.get.v2": queryIds(notificationGroups),

  "aggregates.slas.post.v1": aggregateKind(slas),
  "entities.slas.delete.v1": entitiesSlasDeleteV1,
  "entities.slas.get.v1": getByIds(slas),
  "entities.slas.patch.v1": entitiesSlasPatchV1,
  "entities.slas.post.v1": async (call) => ({
    kind: "records",
    records: await createRecords(call, slaRules(await stampOf(call)), [
      { at: "body", input: call.body },
    ]),
  }),
  "queries.slas.get.v1": queryIds(slas),

  "aggregates.templates.post.v1": aggregateKind(caseTemplates),
  "entities.templates.delete.v1": async (call) => ({
    kind: "ids",
    ids: await deleteTemplates(call, call.query.ids),
  }),
  "entities.templates.get.v1": entitiesTemplatesGetV1,
  "entities.templates.patch.v1": entitiesTemplatesPatchV1,
  "entities.templates.post.v1": entitiesTemplatesPostV1,
  "entities.templates_export.get.v1": exportTemplates,
  "entities.templates_import.post.v1": importTemplates,
  "queries.templates.get.v1": queryIds(caseTemplates),

  "entities.template-snapshots.get.v1": findSnapshots,
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

  "entities.fields.get.v1": getByIds(caseFieldRecords),
  "queries.fields.get.v1": queryIds(caseFieldRecords),
} satisfies Partial<OperationHandlers>;
