import { updateExclusions } from "../../domain/ioa-exclusions/write.ts";
import type { Handler } from "../../calls/handler.ts";

export const ssIoaExclusionsUpdateV2: Handler<"ss-ioa-exclusions.update.v2"> = async (call) => {
  const items = call.body.exclusions.map(
    ({ id, ...changes }, index) =>
      ({ at: `body.exclusions[${index}]`, groups: "host_groups", id, changes }) as const,
  );
  const changed = await updateExclusions(call, items);
  return { kind: "records", records: changed.map((record) => JSON.stringify(record)) };
};
