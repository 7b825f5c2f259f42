import { cloudApplications } from "../../domain/data-protection/kinds.ts";
import type { Handler } from "../../handler.ts";
import { listIds } from "../../records/plain/read.ts";

export const queriesCloudApplicationGetV2: Handler<"queries.cloud-application.get-v2"> = (call) =>
  listIds(call, cloudApplications);
