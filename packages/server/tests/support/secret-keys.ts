import { FixedKeys } from "../../src/secrets/keyring.ts";
import { secretKey } from "../../src/secrets/secret-key.ts";

export const firstKey = secretKey(Buffer.alloc(32, 1));
export const secondKey = secretKey(Buffer.alloc(32, 2));
export const thirdKey = secretKey(Buffer.alloc(32, 3));

/** The same for all stores of tests, as several may open one database. */
export const testKeys = new FixedKeys([firstKey]);
