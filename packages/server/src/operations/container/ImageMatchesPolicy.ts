import { checkImages } from "../../domain/container/reports/check-images.ts";
import type { Handler } from "../../calls/handler.ts";

export const ImageMatchesPolicy: Handler<"ImageMatchesPolicy"> = (call) => {
  const { repository, tag } = call.query;
  return checkImages(call, { repository, tag });
};
