import { deleteRegistries } from "../../domain/container/registries/write-registries.ts";
import type { Handler } from "../../calls/handler.ts";

export const DeleteRegistryEntities: Handler<"DeleteRegistryEntities"> = async (call) => ({
  kind: "records",
  records: await deleteRegistries(call, call.query.ids),
});
