import type { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "node:tls";
import { describeError } from "../../terminal/describe-error.ts";
import { fail, ok, warn, type Finding } from "./finding.ts";

/** Seconds by which a clock may differ. With more, times in filters and tokens are wrong. */
const slowClock = 5;
const wrongClock = 300;

const day = 86_400_000;
const milliseconds = 10_000;

export interface CheckedServer {
  readonly url: string;
  /** The certificate of a local CA; null for none. */
  readonly caFile: string | null;
}

/** Checks that the server responds, that its clock is right, and that its certificate is valid for a while. */
export async function checkServer(server: CheckedServer): Promise<readonly Finding[]> {
  const { url } = server;
  let answered: {
    readonly status: number;
    readonly date: string | null;
    readonly body: string;
  };
  const before = Date.now();
  try {
    const response = await fetch(new URL("/readyz", url), {
      signal: AbortSignal.timeout(milliseconds),
    });
    const body = await response.text();
    answered = { status: response.status, date: response.headers.get("date"), body };
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return [
      fail(
        "server",
        `${url} does not respond: ${describeError(cause)}`,
        "start it with secplat serve, or correct --url",
      ),
      ...(await checkCertificate(server)),
    ];
  }
  const { status, date, body } = answered;
  return [
    status === 200
      ? ok("server", `${url} is ready`)
      : fail("server", `${url} answers /readyz with ${status}`, "look at the log of the server"),
    ...(status === 200 ? [checkStorage(body)] : []),
    ...(date === null ? [] : [checkClock(date, before)]),
    ...(await checkCertificate(server)),
  ];
}

interface StorageDetails {
  readonly limit_bytes?: number | null;
  readonly used_bytes?: number | null;
  readonly tenant_limit_bytes?: number | null;
}

/** Beyond this part of the limit, little more can be added. */
const nearlyFull = 0.9;

/** The limits of storage in the details of `/readyz`, which a server without limits does not have. */
function checkStorage(body: string): Finding {
  const name = "storage";
  const { limit_bytes, used_bytes, tenant_limit_bytes } = storageIn(body);
  const each =
    typeof tenant_limit_bytes === "number"
      ? `at most ${megabytes(tenant_limit_bytes)} a tenant`
      : "";
  if (typeof limit_bytes !== "number") return ok(name, each === "" ? "without a limit" : each);
  const used = typeof used_bytes === "number" ? megabytes(used_bytes) : "not yet counted";
  const detail = [`${used} of ${megabytes(limit_bytes)} are used`, each].filter(
    (part) => part !== "",
  );
  return (used_bytes ?? 0) < nearlyFull * limit_bytes
    ? ok(name, detail.join(", "))
    : warn(
        name,
        detail.join(", "),
        "delete records or files, or raise --storage-limit; at the limit nothing can be added",
      );
}

function storageIn(body: string): StorageDetails {
  try {
    const { resources } = JSON.parse(body) as {
      readonly resources?: readonly { readonly storage?: StorageDetails }[];
    };
    return resources?.[0]?.storage ?? {};
  } catch {
    // Another program answers there.
    return {};
  }
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1_048_576)} MB`;

/** `Date` has whole seconds; the true time of the response is between the request and now. */
function checkClock(date: string, before: number): Finding {
  const server = Date.parse(date);
  const ahead = Math.max(0, server - Date.now());
  const behind = Math.max(0, before - (server + 1_000));
  const seconds = Math.round(Math.max(ahead, behind) / 1_000);
  if (seconds <= slowClock) return ok("clock", "agrees with that of the server");
  const detail = `the server's clock is ${seconds} s ${ahead > 0 ? "ahead" : "behind"}`;
  const remedy = "set both clocks by NTP";
  return seconds > wrongClock ? fail("clock", detail, remedy) : warn("clock", detail, remedy);
}

async function checkCertificate({ url, caFile }: CheckedServer): Promise<readonly Finding[]> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== "https:") return [];
  const name = "TLS";
  try {
    const certificate = await new Promise<X509Certificate | undefined>((resolve, reject) => {
      const socket = connect({
        host: hostname.replaceAll(/[[\]]/g, ""),
        port: Number(port || 443),
        servername: /^[\d.]+$|:/.test(hostname) ? "" : hostname,
        timeout: milliseconds,
        ...(caFile === null ? {} : { ca: readFileSync(caFile) }),
      });
      socket.once("secureConnect", () => {
        resolve(socket.getPeerX509Certificate());
        socket.destroy();
      });
      socket.once("timeout", () => socket.destroy(new Error("no response within 10 s")));
      socket.once("error", reject);
    });
    const expires = Date.parse(certificate?.validTo ?? "");
    const days = Math.floor((expires - Date.now()) / day);
    return [
      days >= 14
        ? ok(name, `the certificate is valid for ${days} days`)
        : warn(
            name,
            `the certificate expires in ${days} days`,
            "renew it, and send SIGHUP to the server",
          ),
    ];
  } catch (error) {
    return [
      fail(
        name,
        `the certificate is not accepted: ${describeError(error)}`,
        "name the CA's certificate in NODE_EXTRA_CA_CERTS",
      ),
    ];
  }
}
