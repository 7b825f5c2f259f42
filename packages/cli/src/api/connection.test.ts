import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exitCodes } from "../terminal/exit-codes.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { trust } from "./connection.ts";

function certificate(): string {
  const file = join(temporaryFolder(), "ca.pem");
  writeFileSync(file, "own");
  return file;
}

test("trusts a certificate beside the usual ones", () => {
  let trusted: readonly unknown[] = [];
  trust(
    certificate(),
    {},
    {
      getCACertificates: () => ["usual"],
      setDefaultCACertificates: (certificates) => void (trusted = certificates),
    },
  );
  expect(trusted).toEqual(["usual", "own"]);
});

test("names the way out if Node.js cannot add certificates", () => {
  const file = certificate();
  expect(() => trust(file, {}, {})).toThrow(
    expect.objectContaining({
      exitCode: exitCodes.usage,
      message:
        `Node.js ${process.versions.node} cannot trust the certificate ${file} by itself; ` +
        "set NODE_EXTRA_CA_CERTS to this file, or use Node.js 22.19, 24.5 or later",
    }),
  );
  expect(() => trust(file, { NODE_EXTRA_CA_CERTS: file }, {})).not.toThrow();
});
