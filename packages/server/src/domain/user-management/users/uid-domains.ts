import type { Problem } from "../../../foundation/errors.ts";
import { writeAsCommand } from "../../../records/write.ts";
import type { Resource, Store } from "../../../store/index.ts";

/** The e-mail domains that the users of a tenant may have. */
export interface UidDomains {
  readonly id: "uid_domains";
  /** Lower case. */
  readonly domains: readonly string[];
}

/** One record per tenant. A tenant without a record allows all domains. */
export const uidDomains: Resource<UidDomains> = {
  name: "uid_domains",
  collection: "user_management",
  fields: {},
  id: "id",
  indexes: [],
};

/** Replaces the allowed domains of the tenant. An empty list allows all domains. */
export async function allowUidDomains(
  store: Store,
  cid: string,
  domains: readonly string[],
  now: Date,
): Promise<void> {
  const command = { store, cid, name: "tenants domains", now };
  await writeAsCommand(command, async (writing) => {
    writing.audit([cid]);
    const { stored } = writing.records(uidDomains);
    if (domains.length === 0) return stored.remove(["uid_domains"], now);
    const lower = [...new Set(domains.map((domain) => domain.toLowerCase()))];
    return stored.put([{ id: "uid_domains", domains: lower }], now);
  });
}

/** The allowed domains of uids in lower case; null if all are allowed. */
export async function allowedUidDomains(
  store: Store,
  cid: string,
  now: Date,
): Promise<readonly string[] | null> {
  const stored = await store.records(uidDomains, { cid }).getComplete(["uid_domains"], now);
  return stored.get("uid_domains")?.domains ?? null;
}

export async function uidDomainProblems(
  store: Store,
  cid: string,
  uid: string,
  now: Date,
): Promise<readonly Problem[]> {
  const domains = await allowedUidDomains(store, cid, now);
  if (domains === null) return [];
  const domain = uid.slice(uid.lastIndexOf("@") + 1).toLowerCase();
  if (domains.includes(domain)) return [];
  const message = `the tenant does not allow addresses at ${domain}; expected one at ${domains.join(" or ")}`;
  return [{ at: "body.uid", message }];
}
