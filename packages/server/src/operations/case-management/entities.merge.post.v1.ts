import { mergeCases } from "../../domain/case-management/cases/merge-cases.ts";
import type { Handler } from "../../calls/handler.ts";

export const entitiesMergePostV1: Handler<"entities.merge.post.v1"> = async (call) => {
  await mergeCases(call, call.body);
  return { kind: "envelope", affected: 2 };
};
