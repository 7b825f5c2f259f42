import { shownTemplates } from "../../domain/case-management/templates/shown-templates.ts";
import { caseTemplates } from "../../domain/case-management/kinds/templates.ts";
import type { Handler } from "../../calls/handler.ts";
import { getShown } from "../../records/get.ts";

export const entitiesTemplatesGetV1: Handler<"entities.templates.get.v1"> = (call) =>
  getShown(call, caseTemplates, call.query.ids, (texts) => shownTemplates(call, texts));
