import type { Operation } from "@security-platform/spec";
import type { SampleBody, SampleInput } from "./sample-input.ts";

/** Variables that the quick start sets, and one that the sample itself sets. */
const variables: Readonly<Record<string, string>> = {
  client_id: "$CLIENT_ID",
  client_secret: "$CLIENT_SECRET",
  token: "$OLD_TOKEN",
};

/** A token of its own, so that the one of the reader stays valid. */
const askForToken = `OLD_TOKEN=$(curl -s $BASE_URL/oauth2/token -d client_id=$CLIENT_ID -d client_secret=$CLIENT_SECRET |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
`;

/** A header whose value another request returns. */
const ticketHeader = "X-Scan-Ticket";

const askForTicket = (address: string): string =>
  `TICKET=$(curl -s -I "$BASE_URL${address}" -H "Authorization: Bearer $TOKEN" |
  tr -d '\\r' | sed -n 's/^x-scan-ticket: //ip')
`;

/** A curl command line that calls the operation, with its base URL and token in variables. */
export function curlSample(
  operation: Pick<Operation, "method" | "path" | "scope">,
  { query, path, headers, body }: SampleInput,
): string {
  const address = operation.path.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) =>
    encodeURIComponent(String(path[name])),
  );
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map(
      (item) => [name, String(item)] as [string, string],
    ),
  );
  // With -G, curl moves all data into the query, so with a body the parameters are written into the
  // URL.
  const inAddress = body !== null && parameters.length > 0;
  const question = inAddress ? `?${new URLSearchParams(parameters).toString()}` : "";
  const parts = [
    `"$BASE_URL${address}${question}"`,
    ...(operation.scope === null ? [] : [`-H "Authorization: Bearer $TOKEN"`]),
    ...Object.entries(headers).map(([name, value]) =>
      name === ticketHeader ? `-H "${name}: $TICKET"` : `-H ${quote(`${name}: ${String(value)}`)}`,
    ),
    ...(inAddress ? [] : parameters.map((pair) => `--data-urlencode ${quote(pair.join("="))}`)),
    ...(body === null ? [] : bodyParts(body)),
  ];
  const [first = "", ...rest] = parts;
  const before = [
    headers[ticketHeader] === undefined ? "" : askForTicket(address),
    parts.some((part) => part.includes("$OLD_TOKEN")) ? askForToken : "",
  ].join("");
  const lines = [
    `${before}curl -s ${methodOption(operation.method, body, parameters.length)}${first}`,
    ...rest,
  ];
  return `${lines.join(" \\\n  ")}${heredoc(body)}`;
}

function methodOption(method: string, body: SampleBody | null, parameters: number): string {
  const inQuery = body === null && parameters > 0 ? "-G " : "";
  if (method === "head") return `${inQuery}-I `;
  const implied = body === null ? "get" : "post";
  return `${inQuery}${method === implied ? "" : `-X ${method.toUpperCase()} `}`;
}

const multipart = "multipart/form-data";

function bodyParts({ mediaType, value, files }: SampleBody): readonly string[] {
  if (mediaType === multipart) {
    return Object.entries(value as Record<string, unknown>).map(([name, text]) =>
      files.includes(name)
        ? `-F "${name}=@-;filename=example.txt"`
        : `-F ${quote(`${name}=${String(text)}`)}`,
    );
  }
  if (mediaType !== "application/x-www-form-urlencoded") {
    return [`-H "Content-Type: ${mediaType}"`, "-d @-"];
  }
  return Object.entries(value as Record<string, unknown>).map(([name, text]) => {
    const variable = variables[name];
    return variable === undefined
      ? `-d ${quote(`${name}=${String(text)}`)}`
      : `-d "${name}=${variable}"`;
  });
}

/** The standard input of curl: the JSON, or the file of an upload. */
function heredoc(body: SampleBody | null): string {
  if (body === null || body.mediaType === "application/x-www-form-urlencoded") return "";
  if (body.mediaType !== multipart)
    return ` <<'JSON'\n${JSON.stringify(body.value, null, 2)}\nJSON`;
  const [file = ""] = body.files;
  const text = String((body.value as Record<string, unknown>)[file]);
  return ` <<'FILE'\n${text.trimEnd()}\nFILE`;
}

/**
 * Double quotes if the text has no special characters of the shell, including interactive shells.
 */
export function quote(text: string): string {
  if (/^[\w.,:=/@+-]+$/.test(text)) return text;
  if (!/["$`\\!]/.test(text)) return `"${text}"`;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
