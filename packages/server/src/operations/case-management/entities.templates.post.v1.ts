import { shownTemplates } from "../../domain/case-management/templates/shown-templates.ts";
import type { Handler } from "../../calls/handler.ts";
import { createRecords } from "../../records/plain/write.ts";
import { templateRulesFor } from "./template-rules.ts";

export const entitiesTemplatesPostV1: Handler<"entities.templates.post.v1"> = async (call) => {
  const rules = await templateRulesFor(call);
  const created = await createRecords(call, rules, [{ at: "body", input: call.body }]);
  return { kind: "records", records: await shownTemplates(call, created) };
};
