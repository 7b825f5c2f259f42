import type { Fetch } from "@security-platform/client";

/** The last request that a call of the client sends with this `fetch`, which sends nothing and accepts every token. */
export async function requestOf(call: (fetch: Fetch) => Promise<unknown>): Promise<Request> {
  let last: Request | undefined;
  await call(async (request) => {
    last = request;
    return Response.json({ access_token: "none", expires_in: 1_800, token_type: "bearer" });
  });
  if (last === undefined) throw new Error("the call sent no request");
  return last;
}
