import {
  accessTagKind,
  type AccessTag,
} from "../../domain/case-management/access-tags/access-tags.ts";
import { withAccess } from "../../domain/case-management/access-tags/has-access.ts";
import { heldAccessTags } from "../../domain/case-management/access-tags/reader.ts";
import type { Handler } from "../../handler.ts";
import { getByIds } from "../../records/plain/handlers.ts";

export const entitiesAccessTagsGetV1: Handler<"entities.access-tags.get.v1"> = async (call) => {
  const answer = await getByIds(accessTagKind)(call);
  if (!call.query.with_has_access || answer.kind !== "records") return answer;
  const held = await heldAccessTags(call);
  const records = answer.records.map((text) => {
    const tag = JSON.parse(text) as AccessTag;
    return JSON.stringify(withAccess(tag, "templates", held.has(tag.id)));
  });
  return { kind: "records", records };
};
