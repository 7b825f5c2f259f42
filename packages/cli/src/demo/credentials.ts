import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describeError, systemCode } from "../terminal/describe-error.ts";
import { CommandError } from "../terminal/exit-codes.ts";
import { replaceFile } from "../terminal/replace-file.ts";

/** Credentials of the client that the first start created. */
export interface DemoCredentials {
  readonly client_id: string;
  readonly client_secret: string;
  readonly cid: string;
}

export const credentialsFile = (folder: string): string => join(folder, "credentials.json");

/** Null if there are none. */
export function readCredentials(folder: string): DemoCredentials | null {
  const file = credentialsFile(folder);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return null;
    throw new CommandError(`cannot read ${file}: ${describeError(error)}`);
  }
  const credentials = parse(text);
  if (credentials !== null) return credentials;
  throw new CommandError(
    `${file} does not contain the demo's client_id, client_secret and cid; ` +
      "delete it, and create a client with: secplat clients create <name>",
  );
}

/** Writes the file atomically. Only this user can read it. */
export function writeCredentials(folder: string, credentials: DemoCredentials): void {
  replaceFile(credentialsFile(folder), `${JSON.stringify(credentials, null, 2)}\n`);
}

export const removeCredentials = (folder: string): void =>
  rmSync(credentialsFile(folder), { force: true });

function parse(text: string): DemoCredentials | null {
  try {
    const { client_id, client_secret, cid } = JSON.parse(text) as Partial<DemoCredentials>;
    return [client_id, client_secret, cid].every((value) => typeof value === "string")
      ? ({ client_id, client_secret, cid } as DemoCredentials)
      : null;
  } catch {
    return null;
  }
}
