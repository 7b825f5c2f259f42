import { fqlTables, type components } from "@security-platform/spec";
import { memberOrder } from "../../../records/member-order.ts";
import type { Resource } from "../../../store/index.ts";
import { isRegistryUrl, uniqueUrl } from "./registry-url.ts";

type Schemas = components["schemas"];
export type RegistryEntity = Schemas["RegistryEntity"];
export type RegistryType = Schemas["RegistryType"];
export type CredentialDetails = Schemas["RegistryCredentialDetailsInput"];

/** Details of a credential that no operation returns. */
export const secretDetails = ["password", "cert", "service_account_json"] as const;
export type CredentialSecrets = Pick<CredentialDetails, (typeof secretDetails)[number]>;

/** The result of the last listing. */
export interface Listing {
  readonly repositories: number;
  readonly tags: number;
  /** False if the registry has more images, or does not list them. */
  readonly complete: boolean;
}

/** A stored registry: the served one, its secrets, and the outcome of the last contact. */
export interface StoredRegistry extends RegistryEntity {
  readonly secrets?: CredentialSecrets;
  /** The reason for the state `error`. */
  readonly reason?: string;
  readonly listing?: Listing;
  /**
   * When to contact it besides the regular refreshes: after it was added or resumed, or has a new credential. The contact
   * does not change `next_refresh_at`, which clients compare with what they have read before.
   */
  readonly contact_at?: string;
}

/** Seconds between refreshes. */
export const refreshInterval = 24 * 60 * 60;

const hidden = ["secrets", "reason", "listing", "contact_at"] as const;

export const registryNoun = "registry";

/** Registries whose images are listed at `contact_at`, otherwise at `next_refresh_at`. */
export const registries: Resource<StoredRegistry> = {
  name: "registries",
  collection: "container",
  fields: fqlTables["registries"].fields,
  id: "id",
  uniqueKey: ({ url, url_uniqueness_alias }) => uniqueKeyOf(url, url_uniqueness_alias),
  hidden,
  sealed: ["secrets"],
  indexes: ["created_at"],
  due: { refresh: { at: ({ contact_at, next_refresh_at }) => contact_at ?? next_refresh_at } },
};

export const registryInOrder = memberOrder<StoredRegistry>("RegistryEntity", hidden);

/** The key of a registry that no other registry of the tenant may have. */
export const uniqueKeyOf = (url: string, alias: string): string =>
  JSON.stringify([isRegistryUrl(url) ? uniqueUrl(url) : url, alias]);

/** When the next regular refresh is due, after one at `now`. */
export const nextRefresh = (now: Date): string =>
  new Date(now.getTime() + refreshInterval * 1_000).toISOString();
