import { errors } from "../../../foundation/errors.ts";
import type { Context } from "../../../calls/context.ts";
import type { Caller } from "../../../calls/call.ts";
import type { Directory } from "../../../store/index.ts";

/** Whether `manager` is the tenant or above it. */
export async function manages(
  directory: Directory,
  manager: string,
  cid: string,
): Promise<boolean> {
  if (cid === manager) return true;
  const ancestors = await directory.ancestors(cid);
  return ancestors.some((ancestor) => ancestor.cid === manager);
}

/** The tenant in a parameter, by default the caller's; 403 for a tenant that is not below it. */
export async function requestedCid(
  { caller, context }: { readonly caller: Caller; readonly context: Pick<Context, "store"> },
  cid: string | undefined,
  at: string,
): Promise<string> {
  if (cid === undefined || cid === caller.cid) return caller.cid;
  if (await manages(context.store.directory, caller.cid, cid)) return cid;
  const message = `${cid} is neither the tenant of the token nor below it; send such a tenant, or omit it`;
  throw errors.readOnly([{ at, id: cid, message }]);
}
