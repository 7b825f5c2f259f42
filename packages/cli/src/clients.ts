import { nearest } from "@security-platform/fql";
import type { NewClient, Store } from "@security-platform/server/internal";
import { offeringListed } from "./options/offering-listed.ts";
import { readText } from "./options/read-text.ts";
import { CommandError } from "./terminal/exit-codes.ts";
import { printable } from "./terminal/printable.ts";

/** Reads the id or the name of a client. */
export const readClient = offeringListed(
  readText("the id or name of a client"),
  "clients list",
  "client_id",
  "name",
);

/** A client as stored, without its secret. */
export type KnownClient = Omit<NewClient, "client_secret">;

/** The client with this id or name; `cid` is the tenant that must have it. */
export async function findClient(
  store: Store,
  idOrName: string,
  cid?: string,
): Promise<KnownClient> {
  const clients = await store.directory.clients(cid);
  const byId = clients.find(({ client_id }) => client_id === idOrName.toLowerCase());
  if (byId !== undefined) return byId;
  const [match, ...others] = clients.filter(({ name }) => name === idOrName);
  if (match === undefined) {
    throw new CommandError(
      `no client ${cid === undefined ? "" : `of the tenant ${cid} `}has the id or name "${printable(idOrName)}"${nearestClient(idOrName, clients)}`,
    );
  }
  if (others.length === 0) return match;
  const ids = [match, ...others].map(({ client_id }) => client_id).join(", ");
  throw new CommandError(
    `${others.length + 1} clients are named "${printable(idOrName)}"; use an id: ${ids}`,
  );
}

function nearestClient(idOrName: string, clients: readonly KnownClient[]): string {
  if (clients.length === 0) return "; there are none yet: secplat clients create <name>";
  const words = clients.flatMap(({ name, client_id }) => [name, client_id]);
  const near = nearest(idOrName, words);
  const client = clients.find(({ name, client_id }) => name === near || client_id === near);
  return client === undefined
    ? " (secplat clients list shows all clients)"
    : `; the nearest is "${printable(client.name)}" (${client.client_id})`;
}
