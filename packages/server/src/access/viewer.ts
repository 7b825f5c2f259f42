import type { Directory, ReadScope } from "../store/index.ts";

/** A tenant that reads users. Its place in the tree decides what it sees. */
export interface Viewer extends ReadScope {
  /** Cid of the root of its tree. */
  readonly family: string;
  readonly ancestors: ReadonlySet<string>;
  /** The tenants that it may know: itself, its ancestors and its descendants. */
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

/** Internal within one tree of tenants, otherwise external. */
export const typeOf = (
  { family }: { readonly family: string },
  viewer: Viewer,
): "internal" | "external" => (family === viewer.family ? "internal" : "external");
