import { cloudApplications } from "../../domain/data-protection/kinds.ts";
import type { Handler } from "../../handler.ts";
import { getById } from "../../records/plain/read.ts";

export const entitiesCloudApplicationGet: Handler<"entities.cloud-application.get"> = (call) =>
  getById(call, cloudApplications);
