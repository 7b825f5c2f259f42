import { localApplications } from "../../domain/data-protection/kinds.ts";
import type { Handler } from "../../handler.ts";
import { listIds } from "../../records/plain/read.ts";

export const queriesLocalApplicationGet: Handler<"queries.local-application.get"> = (call) =>
  listIds(call, localApplications);
