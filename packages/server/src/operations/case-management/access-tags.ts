import { fqlTables } from "@security-platform/spec";
import {
  accessTagNoun,
  accessTags,
  type AccessTag,
} from "../../domain/case-management/access-tags/access-tags.ts";
import { withAccess } from "../../domain/case-management/access-tags/has-access.ts";
import { heldAccessTags } from "../../domain/case-management/access-tags/reader.ts";
import type { OperationHandlers } from "../../handler.ts";
import { aggregateKind, getByIds, queryIds } from "../../records/plain/handlers.ts";

const tags = {
  noun: accessTagNoun,
  resource: accessTags,
  fields: fqlTables["access-tags"].fields,
};

export const accessTagHandlers = {
  "aggregates.access-tags.post.v1": aggregateKind(tags),
  "queries.access-tags.get.v1": queryIds(tags),
  "entities.access-tags.get.v1": async (call) => {
    const answer = await getByIds(tags)(call);
    if (!call.query.with_has_access || answer.kind !== "records") return answer;
    const held = await heldAccessTags(call);
    const records = answer.records.map((text) => {
      const tag = JSON.parse(text) as AccessTag;
      return JSON.stringify(withAccess(tag, "templates", held.has(tag.id)));
    });
    return { kind: "records", records };
  },
} satisfies Partial<OperationHandlers>;
