/** An API client of the target. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The tenant of a request: that of the run's client, or another one. */
export type TenantName = "own" | "other";

/** Whose credentials a request uses: those of a tenant's client, or of the user with fewer rights. */
export type CredentialsName = TenantName | "limited";

/** The authorization of a request. */
export type Access =
  | { readonly kind: "none" }
  /** A token of the tenant, optionally limited to these scopes; Basic if no token is needed. */
  | {
      readonly kind: "tenant";
      readonly tenant: TenantName;
      readonly scopes?: readonly string[];
      /** Default: the tenant's client itself. */
      readonly user?: "limited";
    }
  | { readonly kind: "header"; readonly value: string };

export const ownAccess: Access = { kind: "tenant", tenant: "own" };
export const otherAccess: Access = { kind: "tenant", tenant: "other" };
/** The user with fewer rights, in the run's own tenant. */
export const limitedAccess: Access = { kind: "tenant", tenant: "own", user: "limited" };
export const noAccess: Access = { kind: "none" };

/** RFC 7617, with id and secret form-encoded as RFC 6749 §2.3.1 requires. */
export const basicHeader = ({ clientId, clientSecret }: Credentials): string => {
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
};
