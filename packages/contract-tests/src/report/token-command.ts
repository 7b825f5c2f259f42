import type { Report } from "./report.ts";

/** Command that sets `$TOKEN` for the commands in failures; it needs `$CLIENT_SECRET`. */
export const tokenCommand = ({ baseUrl, clientId }: Pick<Report, "baseUrl" | "clientId">): string =>
  `TOKEN=$(curl -s '${baseUrl}/oauth2/token' -d 'client_id=${clientId}' ` +
  `--data-urlencode "client_secret=$CLIENT_SECRET" | ` +
  String.raw`sed -E 's/.*"access_token": *"([^"]+)".*/\1/')`;
