import { reactive } from "vue";
import { serverHere } from "../served-here.ts";
import { platformInPage } from "./platform.ts";

/** `page`: the platform in this page; `here`: the server that serves this page; `other`: a server of the reader's own. */
export type TargetKind = "page" | "here" | "other";

export interface Credentials {
  clientId: string;
  clientSecret: string;
}

/** A place that requests are sent to, and only to it. */
export interface Target {
  /** The origin, with a path in front of the API's paths if there is one. */
  readonly baseUrl: string;
  /** How responses name it. */
  readonly name: string;
  readonly credentials: Credentials;
  fetch(path: string, init: RequestInit): Promise<Response>;
}

/** The reader's choices. They stay in the memory of this page, and end with it. */
export const choice = reactive({
  kind: "page" as TargetKind,
  here: { clientId: "", clientSecret: "" },
  other: { baseUrl: "", clientId: "", clientSecret: "" },
});

/** A problem that the reader can solve; the message is a sentence for them. */
export class TargetProblem extends Error {}

/** The chosen target. Throws a `TargetProblem` if something is missing. */
export async function chosenTarget(): Promise<Target> {
  if (choice.kind === "page") return pageTarget();
  const { clientId, clientSecret } = choice[choice.kind];
  const baseUrl = choice.kind === "here" ? serverHere() : baseUrlOf(choice.other.baseUrl);
  if (clientId.trim() === "" || clientSecret === "") {
    throw new TargetProblem("Enter the client id and the client secret of the server.");
  }
  return {
    baseUrl,
    name: baseUrl,
    credentials: { clientId: clientId.trim(), clientSecret },
    fetch: (path, init) => fetchFrom(baseUrl, path, init),
  };
}

/** The platform in the page. */
export async function pageTarget(): Promise<Target> {
  const { baseUrl, credentials, fetch: send } = await platformInPage();
  return { baseUrl, name: "the platform in this page", credentials, fetch: send };
}

function baseUrlOf(input: string): string {
  const example = "Expected a base URL such as http://localhost:8080";
  const text = input.trim();
  if (text === "") throw new TargetProblem(`Enter the base URL of the server. ${example}.`);
  if (!URL.canParse(text)) throw new TargetProblem(`${text} is not a URL. ${example}.`);
  const url = new URL(text);
  if (!["http:", "https:"].includes(url.protocol)) {
    throw new TargetProblem(`${text} starts with ${url.protocol}. ${example}.`);
  }
  if (url.username !== "" || url.search !== "" || url.hash !== "") {
    throw new TargetProblem(`The base URL has no user, query or fragment. ${example}.`);
  }
  return url.href.replace(/\/$/, "");
}

/** Redirects are not followed: they could lead to another host. */
async function fetchFrom(baseUrl: string, path: string, init: RequestInit): Promise<Response> {
  const blocked: string[] = [];
  const note = ({ blockedURI }: SecurityPolicyViolationEvent): void =>
    void blocked.push(blockedURI);
  document.addEventListener("securitypolicyviolation", note);
  const options = {
    credentials: "omit",
    referrerPolicy: "no-referrer",
    cache: "no-store",
  } as const;
  try {
    const response = await fetch(baseUrl + path, { ...init, ...options, redirect: "manual" });
    if (response.type !== "opaqueredirect") return response;
  } catch {
    // The event comes after the rejection.
    await new Promise((resolve) => void setTimeout(resolve));
    throw new TargetProblem(await reasonOf(baseUrl, blocked.length > 0));
  } finally {
    document.removeEventListener("securitypolicyviolation", note);
  }
  throw new TargetProblem(
    `${baseUrl} redirects ${path} to another address, which is not followed, so that your secret and your token ` +
      "reach no other host. Enter the final address.",
  );
}

/** Why there was no response. Browsers do not report the reason. */
async function reasonOf(baseUrl: string, isBlocked: boolean): Promise<string> {
  const { origin, protocol } = location;
  if (isBlocked) {
    return (
      `The policy of this page allows requests to ${origin} only. Open ${baseUrl}/docs/ on the other server, ` +
      "or this documentation on a static host."
    );
  }
  if (protocol === "https:" && baseUrl.startsWith("http:")) {
    const local = ["localhost", "127.0.0.1", "[::1]"].includes(new URL(baseUrl).hostname);
    if (!local) {
      return `A page with https cannot call ${baseUrl}, which has no TLS. Use a URL that starts with https.`;
    }
  }
  // Succeeds without CORS, and its response says nothing.
  const reached = await fetch(`${baseUrl}/healthz`, {
    mode: "no-cors",
    credentials: "omit",
    referrerPolicy: "no-referrer",
  }).then(
    () => true,
    () => false,
  );
  return reached
    ? `${baseUrl} responds, but does not allow pages of ${origin} to call it (CORS). Start it with: ` +
        `npx secplat serve --cors-origin ${origin}`
    : `There is no response from ${baseUrl}. Check the URL, and that the server is running. If it is a ` +
        `secplat, start it with: npx secplat serve --cors-origin ${origin}`;
}
