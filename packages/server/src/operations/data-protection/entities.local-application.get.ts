import { localApplications } from "../../domain/data-protection/kinds.ts";
import type { Handler } from "../../handler.ts";
import { getById } from "../../records/plain/read.ts";

export const entitiesLocalApplicationGet: Handler<"entities.local-application.get"> = (call) =>
  getById(call, localApplications);
