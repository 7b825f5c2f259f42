import { localApplicationGroups } from "../../domain/data-protection/kinds.ts";
import type { Handler } from "../../handler.ts";
import { getById } from "../../records/plain/read.ts";

export const entitiesLocalApplicationGroupGet: Handler<"entities.local-application-group.get"> = (
  call,
) => getById(call, localApplicationGroups);
