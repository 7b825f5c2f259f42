import type { Page } from "playwright-core";

/** What a session of a browser needs. */
export interface WebDriverOptions {
  /** URL of the driver: safaridriver, geckodriver, WebKitWebDriver and others. */
  readonly url: string;
  /** What the browser must have and do, such as `{"browserName":"safari"}`. */
  readonly capabilities: Readonly<Record<string, unknown>>;
}

type Work = (given: never) => unknown;

/** Milliseconds of a script or of loading a page; a busy machine needs long. */
const slowest = 300_000;

/** A page of any browser that has a driver (W3C WebDriver). It has the members that `page-scope.ts` uses. */
export class WebDriverPage implements AsyncDisposable {
  /** Name and version of the browser. */
  readonly browser: string;
  readonly #session: string;

  private constructor(session: string, browser: string) {
    this.#session = session;
    this.browser = browser;
  }

  static async open({ url, capabilities }: WebDriverOptions): Promise<WebDriverPage> {
    const sessions = `${url.replace(/\/+$/, "")}/session`;
    const timeouts = { script: slowest, pageLoad: slowest };
    const body = { capabilities: { alwaysMatch: { ...capabilities, timeouts } } };
    const answer = (await send("POST", sessions, body)) as {
      readonly sessionId: string;
      readonly capabilities: Readonly<Record<"browserName" | "browserVersion", string>>;
    };
    const { browserName, browserVersion } = answer.capabilities;
    return new WebDriverPage(`${sessions}/${answer.sessionId}`, `${browserName} ${browserVersion}`);
  }

  /** This page, for functions that take one of Playwright. */
  get page(): Page {
    const { evaluate, goTo } = this;
    return { evaluate, goto: goTo, setDefaultTimeout: () => undefined } as unknown as Page;
  }

  readonly goTo = (url: string): Promise<unknown> => send("POST", `${this.#session}/url`, { url });

  /** Runs a function, or its text, in the page. Parameter and result are JSON. */
  readonly evaluate = async (work: string | Work, given?: unknown): Promise<unknown> => {
    const call = typeof work === "string" ? work : `(${work.toString()})(${JSON.stringify(given)})`;
    const script = `const done = arguments[arguments.length - 1];
      (async () => (${call}))().then(
        (value) => done(JSON.stringify({ value })),
        (error) => done(JSON.stringify({ error: String(error) })),
      );`;
    const text = await send("POST", `${this.#session}/execute/async`, { script, args: [] });
    const { value, error } = JSON.parse(text as string) as { value?: unknown; error?: string };
    if (error !== undefined) throw new Error(error);
    return value;
  };

  async [Symbol.asyncDispose](): Promise<void> {
    await send("DELETE", this.#session);
  }
}

/** Sends a command, and returns its value. Rejects with the driver's message. */
async function send(method: string, url: string, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new Error(`no driver answers at ${url}`, { cause });
  });
  const { value } = (await response.json()) as { readonly value: unknown };
  if (!response.ok) throw new Error(`${method} ${url}: ${JSON.stringify(value)}`);
  return value;
}
