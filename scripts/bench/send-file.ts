import { request } from "node:http";
import type { Platform } from "./platform.ts";

/** Creates a case; its id. */
export async function newCase({ url, headers }: Platform): Promise<string> {
  const response = await fetch(`${url}/cases/entities/cases/v2`, {
    method: "PUT",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ name: "uploads", severity: 50 }),
  });
  const [created] = (await response.json()) as readonly { readonly id: string }[];
  return created?.id ?? "";
}

const upload = "/case-files/entities/files/upload/v1";
const boundary = "bench-boundary";

/**
 * A form from memory through `node:http`. The `FormData` of `fetch` takes more processor time than the
 * server that is measured. Resolves with the id of the file.
 */
export function sendFile(
  { url, headers }: Platform,
  caseId: string,
  content: Buffer,
): Promise<string> {
  const part = `--${boundary}\r\ncontent-disposition: form-data; name=`;
  const head = Buffer.from(
    `${part}"case_id"\r\n\r\n${caseId}\r\n${part}"file"; filename="file.bin"\r\n\r\n`,
  );
  const end = Buffer.from(`\r\n--${boundary}--\r\n`);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url + upload,
      {
        method: "POST",
        headers: {
          ...headers,
          "content-type": `multipart/form-data; boundary=${boundary}`,
          "content-length": head.length + content.length + end.length,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode === 200) {
            const [file] = JSON.parse(text) as readonly { readonly id: string }[];
            return resolve(file?.id ?? "");
          }
          reject(new Error(`${response.statusCode}: ${text.slice(0, 200)}`));
        });
      },
    );
    outgoing.once("error", reject);
    outgoing.write(head);
    outgoing.write(content);
    outgoing.end(end);
  });
}
