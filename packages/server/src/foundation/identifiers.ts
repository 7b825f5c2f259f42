import { AsyncLocalStorage } from "node:async_hooks";
import { randomFillSync, randomUUID } from "node:crypto";

/** A source of identifiers that are known in advance. */
export interface Identifiers {
  /** Lower-case hex digits. */
  hex(digits: number): string;
  uuid(): string;
}

const chosen = new AsyncLocalStorage<Identifiers>();

/** Runs code whose new records get their identifiers from `identifiers`, for generated worlds. */
export const withIdentifiers = <Result>(identifiers: Identifiers, work: () => Result): Result =>
  chosen.run(identifiers, work);

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
export const newIdentifier = (): string => chosen.getStore()?.hex(32) ?? randomHex(16);

/** 64 lower-case hex digits (256 random bits), for indicators. */
export const newLongIdentifier = (): string => chosen.getStore()?.hex(64) ?? randomHex(32);

/** A UUID of RFC 9562, version 4, for users, invitations and mails. */
export const newUuid = (): string => chosen.getStore()?.uuid() ?? randomUUID();
