import { updateRegistry } from "../../domain/container/registries/write-registries.ts";
import type { Handler } from "../../calls/handler.ts";

export const UpdateRegistryEntities: Handler<"UpdateRegistryEntities"> = async (call) => ({
  kind: "object",
  object: JSON.parse(await updateRegistry(call, call.query.id, call.body)) as object,
});
