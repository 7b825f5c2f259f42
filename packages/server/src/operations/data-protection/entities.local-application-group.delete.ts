import { localApplicationGroupRules } from "../../domain/data-protection/local-application-groups.ts";
import { usesOfLocalApplicationGroups } from "../../domain/data-protection/references.ts";
import type { Handler } from "../../handler.ts";
import { deleteRecords } from "../../records/plain/write.ts";

export const entitiesLocalApplicationGroupDelete: Handler<
  "entities.local-application-group.delete"
> = (call) =>
  deleteRecords(call, localApplicationGroupRules, call.query.ids, usesOfLocalApplicationGroups);
