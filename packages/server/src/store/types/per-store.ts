import type { Store } from "./types.ts";

/** Creates a cache for each store on first use. A restored snapshot is cached anew. */
export function perStore<Cache extends object>(
  create: () => Cache,
): (store: Pick<Store, "contents">) => Cache {
  const caches = new WeakMap<object, Cache>();
  return ({ contents }) => {
    let cache = caches.get(contents);
    if (cache === undefined) {
      cache = create();
      caches.set(contents, cache);
    }
    return cache;
  };
}
