import type { HttpRequest } from "../requests/request.ts";

/** Linux limits one argument to 128 KiB; longer bodies go through standard input. */
const longestArgument = 100_000;

/** The request as a shell command, including secrets. */
export function curl(baseUrl: string, request: HttpRequest): string {
  const { method, url, headers } = request;
  const parts = [
    "curl -i",
    ...(method === "GET" ? [] : method === "HEAD" ? ["--head"] : [`-X ${method}`]),
    quoted(baseUrl + url),
    ...Object.entries(headers).map(([name, value]) => `-H ${expanded(`${name}: ${value}`)}`),
  ];
  return bodyOf(request, parts.join(" "));
}

function bodyOf({ body, blanks }: HttpRequest, command: string): string {
  if (blanks !== undefined) {
    const { before, count, after } = blanks;
    const shown = (text: string): string => (text === "" ? "" : `printf %s ${quoted(text)}; `);
    const zeros = `head -c ${count} /dev/zero | tr '\\0' ' '; `;
    return `{ ${shown(before)}${zeros}${shown(after)}} | ${command} --data-binary @-`;
  }
  if (body === undefined) return command;
  return body.length <= longestArgument
    ? `${command} --data-binary ${quoted(body)}`
    : `${command} --data-binary @- <<'BODY'\n${body}\nBODY`;
}

/** A text in single quotes, which the shell passes on unchanged. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The shell replaces variables such as `$TOKEN`, which stand for secrets, in double quotes. */
const expanded = (text: string): string => `"${text.replaceAll(/["\\$`]/g, String.raw`\$&`)}"`;
