/** Hooks that are methods of a class, and list what has happened. */
export class CountingHooks {
  readonly events: string[] = [];
  readonly #headers: Readonly<Record<string, string>>;

  /** `headers` are added to each request. */
  constructor(headers: Readonly<Record<string, string>>) {
    this.#headers = headers;
  }

  onRequest() {
    this.events.push("request");
    return this.#headers;
  }

  onResponse() {
    this.events.push("response");
  }

  onEnd() {
    this.events.push("end");
  }

  onRetry() {
    this.events.push("retry");
  }

  onError() {
    this.events.push("error");
  }
}
