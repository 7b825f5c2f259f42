/** An API client of the target. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Whose records a request is to see: those of the run's client, or of the client of another tenant. */
export type TenantName = "own" | "other";

/** How a request presents itself. */
export type Access =
  | { readonly kind: "none" }
  /** A token of the tenant, with these scopes only where they are given; Basic where no token is needed. */
  | { readonly kind: "tenant"; readonly tenant: TenantName; readonly scopes?: readonly string[] }
  | { readonly kind: "header"; readonly value: string };

export const ownAccess: Access = { kind: "tenant", tenant: "own" };
export const otherAccess: Access = { kind: "tenant", tenant: "other" };
export const noAccess: Access = { kind: "none" };

/** RFC 7617, with id and secret form-encoded as RFC 6749 §2.3.1 wants it. */
export const basicHeader = ({ clientId, clientSecret }: Credentials): string => {
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
};
