import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getCACertificates } from "node:tls";
import type { TemporaryServer } from "./server.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment of the program: the user's, with the variables that clients of the API read. Variables that
 * name another server or tenant are left out, so that the program cannot reach it by mistake.
 */
export function programVariables(environment: Environment, server: TemporaryServer): Environment {
  const { url, credentials, folder, caFile } = server;
  const { client_id, client_secret, cid } = credentials;
  const kept = Object.entries(environment).filter(
    ([name]) => !/^(SECPLAT_(?!DEBUG$)|FALCON_MEMBER_CID$|FALCON_ACCESS_TOKEN$)/i.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    SECPLAT_URL: url,
    SECPLAT_CLIENT_ID: client_id,
    SECPLAT_CLIENT_SECRET: client_secret,
    SECPLAT_DATA: folder,
    SECPLAT_CID: cid,
    FALCON_BASE_URL: url,
    FALCON_CLIENT_ID: client_id,
    FALCON_CLIENT_SECRET: client_secret,
    HOST_OVERRIDE: new URL(url).host,
    // With any cloud, gofalcon does not request the region from the vendor's server first.
    FALCON_CLOUD: "us-1",
    ...withoutProxy(environment),
    ...(caFile === null ? {} : trust(environment, folder, caFile)),
  };
}

/** Clients must not send requests to this machine through a proxy. */
function withoutProxy({ NO_PROXY, no_proxy }: Environment): Environment {
  const hosts = [no_proxy ?? NO_PROXY, "127.0.0.1,localhost"].filter(Boolean).join(",");
  return { NO_PROXY: hosts, no_proxy: hosts };
}

/**
 * Makes programs trust the local CA. `SSL_CERT_FILE` and `REQUESTS_CA_BUNDLE` replace the roots of the system, so
 * their file contains these too; `NODE_EXTRA_CA_CERTS` only adds. What the user trusts remains trusted.
 */
function trust(environment: Environment, folder: string, caFile: string): Environment {
  const own = readFileSync(caFile, "utf8");
  const extra = [own, ...contents(environment, ["NODE_EXTRA_CA_CERTS"])];
  const system = getCACertificates("system");
  const roots = system.length > 0 ? system : getCACertificates("bundled");
  const bundles = contents(environment, ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"]);
  const write = (name: string, certificates: readonly string[]): string => {
    const file = join(folder, name);
    const blocks = new Set(certificates.flatMap((each) => each.match(pemBlock) ?? []));
    writeFileSync(file, [...blocks, ""].join("\n"));
    return file;
  };
  const bundle = write("trusted.pem", [...extra, ...bundles, ...roots]);
  return {
    SSL_CERT_FILE: bundle,
    REQUESTS_CA_BUNDLE: bundle,
    CURL_CA_BUNDLE: bundle,
    NODE_EXTRA_CA_CERTS: write("trusted-extra.pem", extra),
  };
}

const pemBlock = /-----BEGIN ([A-Z ]+)-----[^]+?-----END \1-----/g;

/** The files that the variables name; programs ignore a missing one or report it themselves. */
const contents = (environment: Environment, names: readonly string[]): readonly string[] =>
  [...new Set(names.flatMap((name) => environment[name] ?? []))]
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, "utf8"));
