import { shownTemplates } from "../../domain/case-management/templates/shown-templates.ts";
import type { Handler } from "../../calls/handler.ts";
import { changeRecords } from "../../records/plain/write.ts";
import { templateRulesFor } from "./template-rules.ts";

export const entitiesTemplatesPatchV1: Handler<"entities.templates.patch.v1"> = async (call) => {
  const { id, ...changes } = call.body;
  const rules = await templateRulesFor(call);
  const changed = await changeRecords(call, rules, [{ at: "body", id, changes }]);
  return { kind: "records", records: await shownTemplates(call, changed) };
};
