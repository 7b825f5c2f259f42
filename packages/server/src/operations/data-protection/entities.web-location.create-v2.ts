import { webLocationRules } from "../../domain/data-protection/web-locations.ts";
import type { Handler } from "../../handler.ts";
import { createRecords } from "../../records/plain/write.ts";

export const entitiesWebLocationCreateV2: Handler<"entities.web-location.create-v2"> = (call) => {
  const items = call.body.web_locations.map((input, index) => ({
    at: `body.web_locations[${index}]`,
    input,
  }));
  return createRecords(call, webLocationRules, items);
};
