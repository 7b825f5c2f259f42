import type { Connection } from "../sending/connection.ts";
import { fileCall, type FileCall } from "./file-call.ts";
import type { ReceiveOptions } from "./receive-file.ts";
import type { LinkToFile } from "./receive-link.ts";

/**
 * Downloads the file of a signed link, without the token. Links may lead only to `allowedHosts`, which is the
 * host of `baseUrl` by default. If the record has the hash of the file, it is checked. Awaited, it is
 * `{ data, response }` with a `Blob`; `.toFile(path)` and `.stream()` are its other forms.
 */
export const download =
  (connection: Connection) =>
  (link: LinkToFile, options: ReceiveOptions = {}): FileCall =>
    fileCall(
      connection,
      { id: "download", method: "GET", path: "", answer: "file" },
      {},
      options,
      link,
    );
