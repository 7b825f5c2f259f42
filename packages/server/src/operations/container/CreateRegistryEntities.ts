import { createRegistry } from "../../domain/container/registries/write-registries.ts";
import type { Handler } from "../../calls/handler.ts";

export const CreateRegistryEntities: Handler<"CreateRegistryEntities"> = async (call) => ({
  kind: "object",
  object: JSON.parse(await createRegistry(call, call.body)) as object,
});
