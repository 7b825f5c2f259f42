import {
  accessTagKind,
  type AccessTag,
} from "../../domain/case-management/access-tags/access-tags.ts";
import { withAccess } from "../../domain/case-management/access-tags/has-access.ts";
import { heldAccessTags } from "../../domain/case-management/access-tags/reader.ts";
import type { Handler } from "../../calls/handler.ts";
import { getShown } from "../../records/get.ts";
import { getByIds } from "../../records/plain/handlers.ts";

export const entitiesAccessTagsGetV1: Handler<"entities.access-tags.get.v1"> = (call) => {
  if (!call.query.with_has_access) return getByIds(accessTagKind)(call);
  return getShown(call, accessTagKind, call.query.ids, async (texts) => {
    const held = await heldAccessTags(call);
    return texts.map((text) => {
      const tag = JSON.parse(text) as AccessTag;
      return JSON.stringify(withAccess(tag, "templates", held.has(tag.id)));
    });
  });
};
