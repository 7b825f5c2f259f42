import { deleteImage } from "../../domain/container/scans/delete-image.ts";
import type { Handler } from "../../calls/handler.ts";

export const DeleteImageDetails: Handler<"DeleteImageDetails"> = async (call) => ({
  kind: "envelope",
  affected: await deleteImage(call, call.path.image_id),
});
