import type { OperationId } from "@security-platform/spec";
import { errors } from "../errors.ts";
import type { Handler } from "../handler.ts";

/** Operations without a handler, by collection; they answer 501. */
const unimplemented = {
  "case-management": [
    "aggregates.file-details.post.v1",
    "combined.file-details.get.v1",
    "entities.file-details.get.v1",
    "entities.file-details.patch.v1",
    "entities.files.delete.v1",
    "entities.files_bulk-download.post.v1",
    "entities.files_download.get.v1",
    "entities.files_download.post.v1",
    "entities.files_upload.post.v1",
    "entities.get-rtr-file-metadata.post.v1",
    "entities.retrieve-rtr-file.post.v1",
    "entities.retrieve-rtr-recent-file.post.v1",
    "queries.file-details.get.v1",
  ],
  container: [
    "CreateRegistryEntities",
    "DeleteRegistryEntities",
    "GetCredentials",
    "ReadRegistryEntities",
    "ReadRegistryEntitiesByUUID",
    "UpdateRegistryEntities",
  ],
  "identity-protection": [],
  "ioa-exclusions": [],
} as const satisfies Readonly<Record<string, readonly OperationId[]>>;

export type UnimplementedOperationId = (typeof unimplemented)[keyof typeof unimplemented][number];

export const unimplementedOperations: readonly UnimplementedOperationId[] =
  Object.values(unimplemented).flat();

/** Handlers that answer 501, behind the same authentication and validation as all others. */
export const unimplementedHandlers = () =>
  Object.fromEntries(
    unimplementedOperations.map((id) => [
      id,
      async () => {
        throw errors.notImplemented(id);
      },
    ]),
  ) as unknown as { readonly [Id in UnimplementedOperationId]: Handler<Id> };
