import { checkImages } from "../../domain/container/reports/check-images.ts";
import type { Handler } from "../../calls/handler.ts";

export const PolicyChecks: Handler<"PolicyChecks"> = (call) => {
  const { policy_type: _, ...reference } = call.query;
  return checkImages(call, reference);
};
