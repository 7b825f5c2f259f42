import { fromVersion1, inVersion1 } from "../../domain/ioa-exclusions/version-1.ts";
import { createExclusions } from "../../domain/ioa-exclusions/write.ts";
import type { Handler } from "../../calls/handler.ts";

export const createIOAExclusionsV1: Handler<"createIOAExclusionsV1"> = async (call) => {
  const { body, caller, context, now } = call;
  const { groups, ...input } = body;
  const item = { at: "body", groups: "groups", input: fromVersion1(input, groups) } as const;
  const created = await createExclusions(call, [item]);
  const records = await inVersion1(context, { cid: caller.cid, now }, created);
  return { kind: "records", records: records.map((record) => JSON.stringify(record)) };
};
