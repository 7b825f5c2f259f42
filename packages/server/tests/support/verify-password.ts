import { scryptSync } from "node:crypto";

/** Whether `hashed`, a hash in the form `scrypt$N$r$p$salt$key`, is one of this password. */
export function verifyPassword(password: string, hashed: string): boolean {
  const [scheme, N, r, p, salt = "", key = ""] = hashed.split("$");
  if (scheme !== "scrypt") return false;
  const options = { N: Number(N), r: Number(r), p: Number(p), maxmem: 2 ** 26 };
  const bytes = Buffer.from(key, "base64url");
  return scryptSync(
    password.normalize("NFKC"),
    Buffer.from(salt, "base64url"),
    bytes.length,
    options,
  ).equals(bytes);
}
