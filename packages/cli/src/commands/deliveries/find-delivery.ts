import {
  findDelivery,
  systemClock,
  type Delivery,
  type Store,
} from "@security-platform/server/internal";
import { CommandError } from "../../terminal/exit-codes.ts";

/** The delivery with this id. */
export async function requireDelivery(store: Store, id: string): Promise<Delivery> {
  const delivery = await findDelivery(store, id, systemClock.now());
  if (delivery !== null) return delivery;
  throw new CommandError(`there is no delivery ${id} (secplat deliveries list shows them)`);
}
