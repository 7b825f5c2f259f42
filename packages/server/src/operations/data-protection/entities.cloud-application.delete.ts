import { cloudApplicationRules } from "../../domain/data-protection/cloud-applications.ts";
import { usesOfCloudApplications } from "../../domain/data-protection/references.ts";
import type { Handler } from "../../handler.ts";
import { deleteRecords } from "../../records/plain/write.ts";

export const entitiesCloudApplicationDelete: Handler<"entities.cloud-application.delete"> = (
  call,
) => deleteRecords(call, cloudApplicationRules, call.query.ids, usesOfCloudApplications);
