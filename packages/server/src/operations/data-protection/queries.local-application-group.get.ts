import { localApplicationGroups } from "../../domain/data-protection/kinds.ts";
import type { Handler } from "../../handler.ts";
import { listIds } from "../../records/plain/read.ts";

export const queriesLocalApplicationGroupGet: Handler<"queries.local-application-group.get"> = (
  call,
) => listIds(call, localApplicationGroups);
