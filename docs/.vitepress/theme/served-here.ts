import { withBase } from "vitepress";
import { ref, shallowRef } from "vue";

/** Whether the server of this page is a Security Platform; false until that is known. */
export const isServedHere = ref(false);

/** Whether the policy of the page lets it call other servers. */
export const allowsOtherServers = ref(true);

/** The API client of the demo on the server of this page. */
export interface DemoClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Null until it is known, and if the server has no demo, or the reader is at another machine. */
export const demoClient = shallowRef<DemoClient | null>(null);

let looking: Promise<void> | undefined;

/** Finds out whether a server of the API serves this page: only then do its files have a trace id. */
export const lookForServer = (): Promise<void> => (looking ??= look());

async function look(): Promise<void> {
  const response = await fetch(withBase("/"), { method: "HEAD" }).catch(() => null);
  allowsOtherServers.value = isOpenPolicy(response?.headers.get("content-security-policy") ?? "");
  isServedHere.value = response?.headers.has("x-trace-id") === true;
  if (isServedHere.value && isThisMachine(location.hostname)) await lookForDemo();
}

async function lookForDemo(): Promise<void> {
  const response = await fetch(withBase("/demo-client"), { method: "POST" }).catch(() => null);
  if (response?.status !== 200) return;
  const { client_id: clientId, client_secret: clientSecret } = (await response.json()) as Record<
    string,
    unknown
  >;
  if (typeof clientId === "string" && typeof clientSecret === "string") {
    demoClient.value = { clientId, clientSecret };
  }
}

/** Whether a content security policy allows connections to any host. Several policies are separated by commas. */
const isOpenPolicy = (policies: string): boolean =>
  policies.split(",").every((policy) => {
    const directives = policy.split(";").map((directive) => directive.trim().split(/\s+/));
    const sourcesOf = (name: string) => directives.find(([first]) => first === name);
    const sources = sourcesOf("connect-src") ?? sourcesOf("default-src");
    return (
      sources === undefined || sources.some((source) => ["*", "http:", "https:"].includes(source))
    );
  });

const isThisMachine = (name: string): boolean => ["localhost", "127.0.0.1", "[::1]"].includes(name);

/** The base URL of the server of this page, which serves it under `/docs/`, perhaps behind a path. */
export const serverHere = (): string =>
  location.origin + withBase("/").replace(/\/docs\/$|\/$/, "");
