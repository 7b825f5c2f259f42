import { canSee, withAccess } from "../../domain/case-management/access-tags/has-access.ts";
import { heldAccessTags } from "../../domain/case-management/access-tags/reader.ts";
import {
  caseTemplates,
  type CaseTemplate,
} from "../../domain/case-management/templates/templates.ts";
import type { Handler } from "../../handler.ts";
import { getByIds } from "../../records/plain/handlers.ts";

export const entitiesTemplatesGetV1: Handler<"entities.templates.get.v1"> = async (call) => {
  const answer = await getByIds(caseTemplates)(call);
  if (!call.query.with_has_access || answer.kind !== "records") return answer;
  const held = await heldAccessTags(call);
  const records = answer.records.map((text) => {
    const template = JSON.parse(text) as CaseTemplate;
    return JSON.stringify(withAccess(template, "workflows", canSee(template, held)));
  });
  return { kind: "records", records };
};
