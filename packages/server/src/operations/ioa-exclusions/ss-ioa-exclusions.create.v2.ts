import { createExclusions } from "../../domain/ioa-exclusions/write.ts";
import type { Handler } from "../../calls/handler.ts";

export const ssIoaExclusionsCreateV2: Handler<"ss-ioa-exclusions.create.v2"> = async (call) => {
  const items = call.body.exclusions.map(
    (input, index) => ({ at: `body.exclusions[${index}]`, groups: "host_groups", input }) as const,
  );
  const created = await createExclusions(call, items);
  return { kind: "records", records: created.map((record) => JSON.stringify(record)) };
};
