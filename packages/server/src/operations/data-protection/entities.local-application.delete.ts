import { localApplicationRules } from "../../domain/data-protection/local-applications.ts";
import type { Handler } from "../../handler.ts";
import { deleteRecords } from "../../records/plain/write.ts";

export const entitiesLocalApplicationDelete: Handler<"entities.local-application.delete"> = (
  call,
) => deleteRecords(call, localApplicationRules, call.query.ids);
