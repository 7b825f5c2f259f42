import {
  findDelivery,
  systemClock,
  type Delivery,
  type Store,
} from "@security-platform/server/internal";
import { offeringListed } from "../../options/offering-listed.ts";
import { readText } from "../../options/read-text.ts";
import { CommandError } from "../../terminal/exit-codes.ts";

/** Reads the id of a delivery. */
export const readDelivery = offeringListed(
  readText("the id of a delivery"),
  "deliveries list",
  "id",
);

/** The delivery with this id. */
export async function requireDelivery(store: Store, id: string): Promise<Delivery> {
  const delivery = await findDelivery(store, id, systemClock.now());
  if (delivery !== null) return delivery;
  throw new CommandError(`there is no delivery ${id} (secplat deliveries list shows them)`);
}
