import type { Report } from "./report.ts";

/** Sets `$TOKEN`, which the commands of the failures use; `$CLIENT_SECRET` must be set. */
export const tokenCommand = ({ baseUrl, clientId }: Pick<Report, "baseUrl" | "clientId">): string =>
  `TOKEN=$(curl -s '${baseUrl}/oauth2/token' -d 'client_id=${clientId}' ` +
  `--data-urlencode "client_secret=$CLIENT_SECRET" | ` +
  String.raw`sed -E 's/.*"access_token": *"([^"]+)".*/\1/')`;
