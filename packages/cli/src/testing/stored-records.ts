import { KeyFile, openStoreAt, resources, systemClock } from "@security-platform/server/internal";

/** Stores records that only servers create, in the default database of a folder. */
export async function storeRecords(
  folder: string,
  { cid, resource: name }: { readonly cid: string; readonly resource: string },
  records: readonly object[],
): Promise<void> {
  const resource = resources.find((each) => each.name === name);
  if (resource === undefined) throw new RangeError(`there is no resource ${name}`);
  const url = `sqlite:${folder}/.data/platform.sqlite`;
  const keys = new KeyFile(`${folder}/.data/secrets.key`, { create: true });
  const store = await openStoreAt({ url, clock: systemClock, resources, keys });
  await store.write(cid, (transaction) =>
    transaction.records(resource).insert(records as never, systemClock.now()),
  );
  await store.close();
}
