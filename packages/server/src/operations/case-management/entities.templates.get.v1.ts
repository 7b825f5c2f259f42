import { shownTemplates } from "../../domain/case-management/templates/shown-templates.ts";
import { caseTemplates } from "../../domain/case-management/templates/templates.ts";
import type { Handler } from "../../handler.ts";
import { answerByIds, eachOnce } from "../../records/get.ts";

const { noun, resource } = caseTemplates;

export const entitiesTemplatesGetV1: Handler<"entities.templates.get.v1"> = async (call) => {
  const { caller, context, now } = call;
  const ids = eachOnce(call.query.ids);
  const stored = await context.store.records(resource, { cid: caller.cid }).get(ids, now);
  const texts = await shownTemplates(call, [...stored.values()]);
  const shown = new Map([...stored.keys()].map((id, index) => [id, texts[index] as string]));
  return answerByIds(ids, shown, noun);
};
