import type { HttpRequest } from "../requests/request.ts";

const longestBody = 4_000;

/** The request as a shell command. Secrets are still in it. */
export function curl(baseUrl: string, { method, url, headers, body }: HttpRequest): string {
  const parts = [
    "curl -i",
    ...(method === "GET" ? [] : [`-X ${method}`]),
    quoted(baseUrl + url),
    ...Object.entries(headers).map(([name, value]) => `-H ${expanded(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${data(body)}`]),
  ];
  return parts.join(" ");
}

const data = (body: string): string =>
  body.length <= longestBody
    ? quoted(body)
    : `@- # ${body.length} characters, ${body.slice(0, 60)}…`;

/** In single quotes the shell changes nothing. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** In double quotes the shell fills in what stands for a secret: `$TOKEN`. */
const expanded = (text: string): string => `"${text.replaceAll(/["\\$`]/g, String.raw`\$&`)}"`;
