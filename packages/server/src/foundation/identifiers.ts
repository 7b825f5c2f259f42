import { randomFillSync, randomUUID } from "node:crypto";

/** Random bytes in stock: asking for a few takes as long as asking for thousands. */
const stock = Buffer.alloc(4_096);
let used = stock.length;

function randomHex(bytes: number): string {
  if (used + bytes > stock.length) {
    randomFillSync(stock);
    used = 0;
  }
  used += bytes;
  return stock.toString("hex", used - bytes, used);
}

/** 32 lower-case hex digits (128 random bits), for records, tenants and API clients. */
export const newIdentifier = (): string => randomHex(16);

/** 64 lower-case hex digits (256 random bits), for indicators. */
export const newLongIdentifier = (): string => randomHex(32);

/** A UUID of RFC 9562, version 4, for users, invitations and mails. */
export const newUuid = (): string => randomUUID();
