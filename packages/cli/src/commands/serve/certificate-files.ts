import { createPrivateKey, X509Certificate, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import type { TlsConfig } from "@security-platform/server/internal";
import { CommandError } from "../../terminal/exit-codes.ts";
import { printable } from "../../terminal/printable.ts";
import { argumentWord } from "../../terminal/shell-word.ts";

/** The files of a certificate and its key. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

const certificateBlock =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]*-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;
const beginsCertificate = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/;
const beginsKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
const endsKey = /-----END [A-Z ]*PRIVATE KEY-----/;

/** Files that were put together without a line break between them, as `cat` does. */
const gluedBlocks = /(?<=-----END [A-Z0-9 ]+-----)(?=-----BEGIN )/g;

/** Reads the files of `--tls-cert` and `--tls-key`. Throws a `CommandError` that names the file, what is wrong, and the cure. */
export function readCertificateFiles(files: CertificateFiles): TlsConfig {
  const config = { cert: read("--tls-cert", files.cert), key: read("--tls-key", files.key) };
  const isSwapped =
    !beginsCertificate.test(config.cert) &&
    !beginsKey.test(config.key) &&
    beginsKey.test(config.cert) &&
    beginsCertificate.test(config.key);
  if (isSwapped) {
    throw new CommandError(
      `--tls-cert and --tls-key are swapped: ${printable(files.cert)} has the private key, and ${printable(files.key)} the certificate`,
    );
  }
  const chain = certificatesIn(config.cert, files.cert);
  requirePair(chain, keyIn(config.key, files.key), files);
  try {
    // Throws for what the parts alone do not show, such as a key that is too short.
    createSecureContext(config);
  } catch (error) {
    throw new CommandError(
      `--tls-cert and --tls-key cannot be used: ${printable((error as Error).message)}; expected a certificate and key for TLS, such as those of RSA with 2048 bits`,
    );
  }
  return config;
}

function read(option: string, path: string): string {
  try {
    return readFileSync(path, "utf8").replaceAll(gluedBlocks, "\n");
  } catch (error) {
    throw new CommandError(
      `${option}: cannot read ${printable(path)}: ${printable((error as Error).message)}`,
    );
  }
}

function certificatesIn(text: string, path: string): readonly X509Certificate[] {
  const refuse = (problem: string): never => {
    throw new CommandError(
      `--tls-cert: ${printable(path)} ${problem}; expected the certificate of the server in PEM, which begins with -----BEGIN CERTIFICATE-----`,
    );
  };
  if (text.trim() === "") return refuse("is empty");
  if (!beginsCertificate.test(text)) {
    return refuse(beginsKey.test(text) ? "has a private key" : "has no certificate");
  }
  const blocks = text.match(certificateBlock) ?? [];
  const begun = text.match(new RegExp(beginsCertificate, "g")) ?? [];
  if (blocks.length < begun.length) return refuse("is incomplete");
  return blocks.map((block, index) => {
    try {
      return new X509Certificate(block);
    } catch {
      return refuse(
        blocks.length === 1
          ? "has a damaged certificate"
          : `has a damaged certificate, number ${index + 1} of ${blocks.length}`,
      );
    }
  });
}

function keyIn(text: string, path: string): KeyObject {
  const refuse = (problem: string): never => {
    throw new CommandError(
      `--tls-key: ${printable(path)} ${problem}; expected the private key of --tls-cert in PEM, which begins with -----BEGIN PRIVATE KEY-----`,
    );
  };
  if (text.trim() === "") return refuse("is empty");
  if (!beginsKey.test(text)) {
    if (beginsCertificate.test(text)) return refuse("has a certificate");
    return refuse(text.includes("-----BEGIN PUBLIC KEY-----") ? "has a public key" : "has no key");
  }
  const rest = text.slice(text.search(beginsKey));
  const end = endsKey.exec(rest);
  if (end === null) return refuse("is incomplete");
  const block = rest.slice(0, end.index + end[0].length);
  if (/ENCRYPTED/.test(block)) {
    throw new CommandError(
      `--tls-key: ${printable(path)} has an encrypted key, which a server cannot read without a person; write it without a password, and name the new file: openssl pkey -in ${argumentWord(path)} -out key.pem`,
    );
  }
  try {
    return createPrivateKey(block);
  } catch {
    return refuse("has a damaged key");
  }
}

function requirePair(
  chain: readonly X509Certificate[],
  key: KeyObject,
  files: CertificateFiles,
): void {
  const position = chain.findIndex((certificate) => certificate.checkPrivateKey(key));
  if (position === 0) return;
  throw new CommandError(
    position === -1
      ? `--tls-key: ${printable(files.key)} is not the key of the certificate in ${printable(files.cert)}; name the key with which this certificate was requested`
      : `--tls-cert: ${printable(files.cert)} begins with another certificate than that of --tls-key; put certificate ${position + 1} first, and the others of its chain after it`,
  );
}

/** Why clients refuse a certificate at this time; null if they do not. */
export function lifetimeProblem(cert: string, now: Date): string | null {
  const { validFrom, validTo } = new X509Certificate(cert);
  if (Date.parse(validTo) <= now.getTime()) {
    return `the certificate expired on ${day(validTo)}, and clients refuse it; renew it, and send SIGHUP to the server`;
  }
  return Date.parse(validFrom) > now.getTime()
    ? `the certificate is not valid before ${day(validFrom)}, and clients refuse it; check the clock of this machine`
    : null;
}

const day = (date: string): string => new Date(date).toISOString().slice(0, 16) + "Z";
