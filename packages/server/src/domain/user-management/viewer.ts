import { errors } from "../../errors.ts";
import type { Context } from "../../context.ts";
import type { Caller } from "../../call.ts";
import type { Directory } from "../../store/types.ts";
import type { StoredUser, User } from "../../access/users.ts";

/** A tenant that looks at users: whom it knows, and who is of its own, depends on its place. */
export interface Viewer {
  readonly cid: string;
  /** Cid of the root of its tree. */
  readonly family: string;
  readonly ancestors: ReadonlySet<string>;
  /** Itself, those above and those below: the tenants that it is told of. */
  tenants(): Promise<ReadonlySet<string>>;
}

export async function viewerOf(directory: Directory, cid: string): Promise<Viewer> {
  const ancestors = (await directory.ancestors(cid)).map((tenant) => tenant.cid);
  let tenants: Promise<ReadonlySet<string>> | undefined;
  return {
    cid,
    family: ancestors.at(-1) ?? cid,
    ancestors: new Set(ancestors),
    tenants: () =>
      (tenants ??= directory
        .descendants(cid)
        .then((below) => new Set([cid, ...ancestors, ...below.map((tenant) => tenant.cid)]))),
  };
}

/** Internal within one tree of tenants, else external. */
export const typeOf = ({ family }: StoredUser, viewer: Viewer): User["user_type"] =>
  family === viewer.family ? "internal" : "external";

/** Whether the tenant is the caller's own or below it. */
export async function manages(
  directory: Directory,
  manager: string,
  cid: string,
): Promise<boolean> {
  if (cid === manager) return true;
  const ancestors = await directory.ancestors(cid);
  return ancestors.some((ancestor) => ancestor.cid === manager);
}

/** The tenant that a parameter names, by default the caller's; 403 for one that is not below it. */
export async function requestedCid(
  { caller, context }: { readonly caller: Caller; readonly context: Pick<Context, "store"> },
  cid: string | undefined,
  at: string,
): Promise<string> {
  if (cid === undefined || cid === caller.cid) return caller.cid;
  if (await manages(context.store.directory, caller.cid, cid)) return cid;
  const message = `${cid} is neither the tenant of the token nor below it; name such a one, or leave it out`;
  throw errors.readOnly([{ at, id: cid, message }]);
}
