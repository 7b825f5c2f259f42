import { webLocations } from "../../domain/data-protection/kinds.ts";
import { ofType } from "../../domain/data-protection/of-type.ts";
import type { Handler } from "../../handler.ts";
import { listIds } from "../../records/plain/read.ts";

export const queriesWebLocationGetV2: Handler<"queries.web-location.get-v2"> = (call) =>
  listIds(call, webLocations, ofType(call.query.type));
