import type { Fetch } from "@security-platform/client";
import { printable } from "../terminal/printable.ts";
import type { Output } from "../terminal/cli-context.ts";

/** Headers whose value lets others act as the caller. */
const secret: ReadonlySet<string> = new Set(["authorization", "set-cookie", "x-scan-ticket"]);

/** A `fetch` that shows the headers of requests and responses on `output`, without secrets and bodies. */
export const tracedFetch =
  (output: Output): Fetch =>
  async (request) => {
    const { pathname, search, host } = new URL(request.url);
    const show = (prefix: string, first: string, headers: Headers): void => {
      const lines = [...headers].map(
        ([name, value]) => `${name}: ${secret.has(name) ? "…" : value}`,
      );
      output.write([first, ...lines].map((line) => `${prefix} ${printable(line)}\n`).join(""));
    };
    show(">", `${request.method} ${pathname}${search} (${host})`, request.headers);
    const response = await fetch(request);
    show("<", `${response.status} ${response.statusText}`.trim(), response.headers);
    return response;
  };
