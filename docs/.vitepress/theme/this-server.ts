import { onContentUpdated } from "vitepress";
import { demoClient, isServedHere, lookForServer, serverHere } from "./served-here.ts";

/** The base URL in the samples as they are written: that of `secplat serve` without options. */
const written = "http://127.0.0.1:8080";

/**
 * Shows the base URL of the platform that serves this page in all samples, and the credentials of its demo, so that they
 * run as they are copied.
 */
export function showThisServer(): void {
  onContentUpdated(async () => {
    const text = document.querySelector("main")?.textContent ?? "";
    if (!text.includes(written) && !text.includes("CLIENT_ID")) return;
    await lookForServer();
    if (!isServedHere.value) return;
    for (const sample of document.querySelectorAll("main code")) {
      if (serverHere() !== written) replaceUrl(sample);
      if (demoClient.value !== null) showCredentials(sample);
    }
  });
}

/** The text nodes stay, because the page's scripts have bound them. */
function textsIn(element: Element): readonly Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode() !== null) texts.push(walker.currentNode as Text);
  return texts;
}

function replaceUrl(sample: Element): void {
  for (const text of textsIn(sample)) text.data = text.data.replaceAll(written, serverHere());
}

/** The variables of the samples, with their values on this server. */
const variables = (): Readonly<Record<string, string>> => ({
  BASE_URL: serverHere(),
  CLIENT_ID: demoClient.value?.clientId ?? "",
  CLIENT_SECRET: demoClient.value?.clientSecret ?? "",
});

function showCredentials(sample: Element): void {
  if (!sample.textContent.includes("CLIENT_ID")) return;
  for (const line of sample.querySelectorAll(".line")) {
    readFromFile(line);
    defaultToEmpty(line);
  }
}

/** `export CLIENT_ID=$(node -p 'require("./.data/credentials.json").client_id')`. */
function readFromFile(line: Element): void {
  const [, start = "", name = ""] =
    /^(export (CLIENT_ID|CLIENT_SECRET)=)\$\(node /.exec(line.textContent) ?? [];
  if (name === "") return;
  const [first, ...others] = textsIn(line);
  if (first === undefined) return;
  first.data = `${start}${variables()[name] ?? ""}`;
  for (const text of others) text.data = "";
}

/** `const { BASE_URL = "", CLIENT_ID = "", CLIENT_SECRET = "" } = process.env;`. */
function defaultToEmpty(line: Element): void {
  if (!line.textContent.includes("= process.env")) return;
  let name = "";
  for (const text of textsIn(line)) {
    for (const [word] of text.data.matchAll(/[A-Z_]{2,}/g)) name = word;
    const value = variables()[name];
    if (value === undefined || !text.data.includes('""')) continue;
    text.data = text.data.replace('""', JSON.stringify(value));
    name = "";
  }
}
