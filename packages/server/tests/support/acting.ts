import { expect } from "vitest";
import { createClient } from "../../src/access/clients.ts";
import { allScopes, type Answer, type Request } from "./api.ts";
import type { BaseSession } from "./session.ts";
import type { User } from "./users.ts";

/** A client that acts as a user. */
export interface ActingClient {
  /** The response of the token operation. */
  signIn(memberCid?: string): Promise<Answer<{ access_token: string }>>;
  /** A token that must be granted. */
  token(memberCid?: string): Promise<string>;
  /** Calls with the first token that was granted. */
  request<Body>(method: string, path: string, request?: Request): Promise<Answer<Body>>;
}

/** Creates a client of the session's tenant. Default: all scopes. */
export async function clientOf(
  { store, clock, tenant, request }: Pick<BaseSession, "store" | "clock" | "tenant" | "request">,
  user: Pick<User, "uuid">,
  scopes: readonly string[] = allScopes,
): Promise<ActingClient> {
  const { client_id, client_secret } = await createClient(store.directory, clock, {
    cid: tenant.cid,
    name: "acting",
    scopes,
    user_uuid: user.uuid,
  });
  const signIn: ActingClient["signIn"] = (memberCid) =>
    request("POST", "/oauth2/token", {
      token: null,
      body: new URLSearchParams({
        client_id,
        client_secret,
        ...(memberCid === undefined ? {} : { member_cid: memberCid }),
      }),
    });
  const token: ActingClient["token"] = async (memberCid) => {
    const answer = await signIn(memberCid);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.access_token;
  };
  let first: string | undefined;
  return {
    signIn,
    token,
    request: async (method, path, options) => {
      first ??= await token();
      return request(method, path, { token: first, ...options });
    },
  };
}
