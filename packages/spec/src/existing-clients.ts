import type { OperationId } from "./generated/operation-ids.ts";

/** What existing clients of the platform expect of one operation, where no general rule covers it. */
export interface ClientHabits {
  /**
   * Where clients read the single object of a success in the Envelope representation. `top-level`:
   * there is no Envelope around it; `resources`: that member is the object itself. Absent: the
   * only entry of the list `resources`.
   */
  readonly object?: "top-level" | "resources";
  /** `meta.pagination.offset` is the position after the page; absent: that of its first record. */
  readonly offset?: "after-page";
  /** Missing records are reported in the `errors` of a success; absent: with status 404. */
  readonly missing?: "success";
  /** A body that contains only this member, a list with one entry, stands for that entry. */
  readonly wrapper?: string;
}

const none: ClientHabits = {};

const byOperation: Readonly<Partial<Record<OperationId, ClientHabits>>> = {
  CreateRegistryEntities: { object: "resources" },
  UpdateRegistryEntities: { object: "resources" },
  post_graphql: { object: "top-level" },
  "ss-ioa-exclusions.new-rules.v2": { object: "top-level" },
  "entities.policy.get.v2": { missing: "success" },
  "entities.web-location.patch-v2": { wrapper: "web_locations" },
};

const byCollection: Readonly<Record<string, ClientHabits>> = {
  ioc: { offset: "after-page" },
  "prevention-policy": { offset: "after-page" },
};

/** The habits of clients for an operation. All other operations follow the general rules. */
export const clientHabits = (operation: {
  readonly id: string;
  readonly collection: string;
}): ClientHabits =>
  byOperation[operation.id as OperationId] ?? byCollection[operation.collection] ?? none;
