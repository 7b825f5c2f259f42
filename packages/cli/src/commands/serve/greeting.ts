import type { DemoCredentials } from "../../demo/credentials.ts";
import { argumentWord } from "../../terminal/shell-word.ts";
import { formatFacts } from "../../terminal/table.ts";

/** The demo's credentials with a token for a first request. */
export interface SignedInDemo extends DemoCredentials {
  readonly access_token: string;
  /** Lifetime of the token in seconds. */
  readonly expires_in: number;
}

/** The facts that a start reports. */
export interface Greeting {
  readonly url: string;
  readonly docs_url: string | null;
  /** The certificate of the local CA that clients must trust; null if the server has none. */
  readonly ca_file: string | null;
  /** Null if the server has no metrics. */
  readonly metrics_url: string | null;
  readonly database: string;
  /** Milliseconds since the start of the process. */
  readonly ready_milliseconds: number;
  readonly process_id: number;
  readonly workers: number;
  readonly version: string;
  /** Null if there is no demo, or its client was deleted. */
  readonly demo: SignedInDemo | null;
}

const noDemo: Readonly<Record<keyof SignedInDemo, null>> = {
  client_id: null,
  client_secret: null,
  cid: null,
  access_token: null,
  expires_in: null,
};

/** A single JSON line for scripts: a flat object. */
export function greetScript({ demo, ...rest }: Greeting): string {
  return `${JSON.stringify({ ...rest, ...(demo ?? noDemo) })}\n`;
}

/**
 * Instructions for a first request, ready to paste into sh, PowerShell and cmd. `newClient`: how to create a client if
 * there is no demo.
 */
export function greetPerson(greeting: Greeting, newClient: readonly string[]): string {
  const { url, demo } = greeting;
  const lines = [
    `Security Platform API ${greeting.version}, ready in ${(greeting.ready_milliseconds / 1_000).toFixed(1)} s`,
    "",
    indent(
      formatFacts([
        ["base URL", url],
        ...(greeting.docs_url === null ? [] : [["documentation", greeting.docs_url] as const]),
        ...(greeting.ca_file === null ? [] : [["CA certificate", greeting.ca_file] as const]),
        ["database", greeting.database],
        ...(greeting.metrics_url === null ? [] : [["metrics", greeting.metrics_url] as const]),
        ...(greeting.workers === 1 ? [] : [["workers", String(greeting.workers)] as const]),
        ...(demo === null
          ? []
          : [
              ["client id", demo.client_id] as const,
              ["client secret", demo.client_secret] as const,
            ]),
      ]),
    ),
    ...(demo === null ? newClient : firstRequests(url, demo, greeting.ca_file)),
    "Ctrl-C stops it; all data is kept.",
    "",
  ];
  return lines.join("\n");
}

const firstRequests = (
  url: string,
  demo: SignedInDemo,
  caFile: string | null,
): readonly string[] => [
  `A first request; its token is valid for ${lasting(demo.expires_in)}:`,
  "",
  `  ${curlOf(caFile)} -H "Authorization: Bearer ${demo.access_token}" "${url}/iocs/combined/indicator/v1?limit=2"`,
  "",
  "A new token:",
  "",
  `  ${curlOf(caFile)} -u "${demo.client_id}:${demo.client_secret}" -d grant_type=client_credentials "${url}/oauth2/token"`,
  "",
];

const curlOf = (caFile: string | null): string =>
  caFile === null ? "curl" : `curl --cacert ${argumentWord(caFile)}`;

const lasting = (seconds: number): string => (seconds === 1_799 ? "half an hour" : `${seconds} s`);

const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, "  ");
