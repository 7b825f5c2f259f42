import { createPrivateKey, X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { systemClock, type TlsConfig } from "@security-platform/server/internal";
import { makeFolder } from "../../database/folder.ts";
import type { DatabaseOptions } from "../../database/options.ts";
import { dataFolder } from "../../database/url.ts";
import { CommandError, exitCodes } from "../../terminal/exit-codes.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { readCertificateFiles } from "./certificate-files.ts";

export interface TlsOptions extends DatabaseOptions {
  readonly tls?: boolean;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

/** The TLS settings of a server. */
export interface Tls {
  readonly config: TlsConfig;
  /** The certificate that clients must trust; null for a certificate of the operator. */
  readonly caFile: string | null;
}

/** The certificate and key of a server; null without TLS. Makes missing ones for `--tls`. */
export async function openTls(options: TlsOptions, context: CliContext): Promise<Tls | null> {
  const given = givenCertificate(options, context);
  if (given !== null) return { config: given, caFile: null };
  return options.tls === true ? ownCertificate(dataFolder(options, context)) : null;
}

/** The certificate and key of the operator; null without them. */
export function givenCertificate(
  { tls = false, tlsCert, tlsKey }: TlsOptions,
  { workingFolder }: Pick<CliContext, "workingFolder">,
): TlsConfig | null {
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    const [present, missing] = tlsCert === undefined ? ["key", "cert"] : ["cert", "key"];
    throw new CommandError(`--tls-${present} also requires --tls-${missing}`, exitCodes.usage);
  }
  if (tlsCert === undefined || tlsKey === undefined) return null;
  if (tls) throw new CommandError("--tls: omit it with --tls-cert", exitCodes.usage);
  return readCertificateFiles({
    cert: resolve(workingFolder, tlsCert),
    key: resolve(workingFolder, tlsKey),
  });
}

const dayMilliseconds = 86_400_000;
/** Clients accept server certificates with a lifetime of at most 398 days. */
const lifetime = 397 * dayMilliseconds;
const caLifetime = 10 * 365 * dayMilliseconds;
const renewBefore = 30 * dayMilliseconds;

const subject = (name: string) => [{ name: "commonName", value: name }];

/** The certificate in the data folder. It is made if missing, and renewed before it expires. */
async function ownCertificate(folder: string): Promise<Tls> {
  makeFolder(folder);
  const path = (name: string): string => join(folder, name);
  const [caFile, caKeyFile] = [path("tls-ca.pem"), path("tls-ca-key.pem")];
  const [certFile, keyFile] = [path("tls-cert.pem"), path("tls-key.pem")];
  if (!lasts(caFile, caKeyFile)) {
    await writePair(await makeCa(), caFile, caKeyFile);
    await writePair(await makeCertificate(caFile, caKeyFile), certFile, keyFile);
  } else if (!lasts(certFile, keyFile)) {
    await writePair(await makeCertificate(caFile, caKeyFile), certFile, keyFile);
  }
  const config = { cert: readFileSync(certFile, "utf8"), key: readFileSync(keyFile, "utf8") };
  return { config, caFile };
}

interface Pair {
  readonly cert: string;
  readonly private: string;
}

/** Writes key and certificate to files that only the owner may read. */
async function writePair(pair: Pair, certFile: string, keyFile: string): Promise<void> {
  await writeFile(keyFile, pair.private, { mode: 0o600 });
  await writeFile(certFile, pair.cert, { mode: 0o600 });
}

/** Whether both files exist, belong together, and the certificate does not expire soon. */
function lasts(certFile: string, keyFile: string): boolean {
  if (!existsSync(certFile) || !existsSync(keyFile)) return false;
  try {
    const certificate = new X509Certificate(readFileSync(certFile));
    return (
      Date.parse(certificate.validTo) - systemClock.now().getTime() > renewBefore &&
      certificate.checkPrivateKey(createPrivateKey(readFileSync(keyFile)))
    );
  } catch {
    // A start that was cut off leaves empty files, or those of two pairs.
    return false;
  }
}

async function makeCa(): Promise<Pair> {
  const { generate } = await import("selfsigned");
  const now = systemClock.now();
  return generate(subject("Security Platform API, local CA"), {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: now,
    notAfterDate: new Date(now.getTime() + caLifetime),
    extensions: [
      { name: "basicConstraints", cA: true, pathLenConstraint: 0, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
}

async function makeCertificate(caFile: string, caKeyFile: string): Promise<Pair> {
  const { generate } = await import("selfsigned");
  const now = systemClock.now();
  return generate(subject("localhost"), {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: now,
    notAfterDate: new Date(now.getTime() + lifetime),
    ca: { cert: readFileSync(caFile, "utf8"), key: readFileSync(caKeyFile, "utf8") },
    extensions: [
      { name: "basicConstraints", cA: false, critical: true },
      { name: "keyUsage", digitalSignature: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: "localhost" },
          { type: 7, ip: "127.0.0.1" },
          { type: 7, ip: "::1" },
        ],
      },
    ],
  });
}
