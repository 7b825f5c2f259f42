import type { JsonObject } from "../requests/request.ts";
import { uuidOf } from "./identifiers.ts";
import type { CollectionRecipe } from "./recipe.ts";

/** Registries of types with and without required credential. The hosts do not exist. */
const registry = (namespace: string, index: number): JsonObject => ({
  type: ["docker", "quay.io", "harbor"][index % 3],
  url: `https://${namespace}-${index}.registry.example.com`,
  user_defined_alias: `${namespace} ${index % 3}`,
  ...(index % 3 < 2
    ? {}
    : { credential: { details: { username: `${namespace}-${index}`, password: "of no use" } } }),
});

/** The platform contacts a registry after the response, which changes these at any time. */
const restlessOfRegistries = [
  "state",
  "state_changed_at",
  "last_refreshed_at",
  "next_refresh_at",
  "updated_at",
];

export const registries: CollectionRecipe = {
  resources: {
    registries: {
      idField: "id",
      restless: restlessOfRegistries,
      phantom: (namespace, number) => ({
        ...registry(namespace, number),
        id: uuidOf("registry", namespace, number),
      }),
      lifecycle: {
        create: "CreateRegistryEntities",
        input: registry,
        createRequest: ([input]) => ({ body: input ?? {} }),
        atOnce: 1,
        // The list takes no filter.
        filter: () => "",
        get: "ReadRegistryEntitiesByUUID",
        remove: "DeleteRegistryEntities",
        change: {
          operation: "UpdateRegistryEntities",
          request: ([record]) => ({
            query: { id: String(record?.["id"]) },
            body: { user_defined_alias: "changed" },
          }),
          changed: { user_defined_alias: "changed" },
          // Credentials are returned without secrets, and states have other names than their
          // actions.
          fixed: ["credential", "state"],
        },
      },
    },
  },
  operations: {
    CreateRegistryEntities: { resource: "registries", effect: "create", single: true },
    // The list has no filter, so it also contains the registries of cases that run at the same
    // time.
    ReadRegistryEntities: { resource: null, effect: "none", restless: ["id"] },
    ReadRegistryEntitiesByUUID: { resource: "registries", effect: "none" },
    UpdateRegistryEntities: {
      resource: "registries",
      effect: "change",
      single: true,
    },
    DeleteRegistryEntities: { resource: "registries", effect: "remove" },
    GetCredentials: { resource: null, effect: "none", restless: ["token"] },
  },
};
