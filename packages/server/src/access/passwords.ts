import { randomBytes, scrypt, type ScryptOptions } from "node:crypto";

/** scrypt's N: about 50 ms and 32 MiB. */
const defaultCost = 2 ** 15;
const blockSize = 8;
const parallelization = 1;
const saltBytes = 16;
const keyBytes = 32;

/** The password as `scrypt$N$r$p$salt$key`, salt and key in base64url. */
export async function hashPassword(password: string, cost = defaultCost): Promise<string> {
  const salt = randomBytes(saltBytes);
  const [N, r, p] = [cost, blockSize, parallelization];
  const key = await derive(password, salt, keyBytes, { N, r, p });
  return ["scrypt", N, r, p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

/** Normalises the password (NFKC), so that the same text from another keyboard is the same password. */
function derive(
  password: string,
  salt: Buffer,
  length: number,
  { N, r, p }: { readonly N: number; readonly r: number; readonly p: number },
): Promise<Buffer> {
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, length, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
