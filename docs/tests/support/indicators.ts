import type { Platform } from "./platform.ts";

interface Indicator {
  readonly value: string;
}

/** Reads indicators from the server of a page, independent of the page's samples. */
export class IndicatorReader {
  readonly #platform: Platform;
  readonly token: string;

  private constructor(platform: Platform, token: string) {
    this.#platform = platform;
    this.token = token;
  }

  static async open(platform: Platform): Promise<IndicatorReader> {
    const body = new URLSearchParams({
      client_id: platform.clientId,
      client_secret: platform.clientSecret,
    });
    const response = await fetch(`${platform.url}/oauth2/token`, { method: "POST", body });
    const { access_token } = (await response.json()) as { access_token: string };
    return new IndicatorReader(platform, access_token);
  }

  /** The first labels of the matching values (`one` of `one.example.com`), or the error messages. */
  async find(
    query: Readonly<Record<string, string>>,
  ): Promise<
    | { readonly names: readonly string[] }
    | { readonly status: number; readonly messages: readonly string[] }
  > {
    const parameters = new URLSearchParams(query).toString();
    const response = await fetch(`${this.#platform.url}/iocs/combined/indicator/v1?${parameters}`, {
      headers: { authorization: `Bearer ${this.token}` },
    });
    const body: unknown = await response.json();
    if (response.ok) {
      return { names: (body as Indicator[]).map(({ value }) => value.split(".")[0] ?? value) };
    }
    const { errors } = body as { errors: { message: string }[] };
    return { status: response.status, messages: errors.map(({ message }) => message) };
  }
}
