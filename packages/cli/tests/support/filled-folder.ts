import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { commandLine } from "../../src/testing/command-line.ts";
import { preparedFolder } from "../../src/testing/prepared-folder.ts";
import { creation, indicatorsPath, existingValues, serve, signIn, type Server } from "./server.ts";
import { stoppedCode } from "../../../../testing/platform.ts";

interface Client {
  readonly client_id: string;
  readonly client_secret: string;
}

export interface FilledFolder {
  readonly folder: string;
  /** The SQLite database in it. */
  readonly file: string;
  readonly client: Client;
}

const prepared = preparedFolder(async (folder) => {
  const command = commandLine({ folder });
  await command.json(["tenants", "create", "Acme Corp"]);
  return command.json<Client>(["clients", "create", "first"]);
});

/** A data folder with a tenant and a client, in `parent` or a temporary folder. */
export async function filledFolder(parent?: string): Promise<FilledFolder> {
  const { folder, value: client } = await prepared(parent);
  return { folder, file: join(folder, ".data", "platform.sqlite"), client };
}

export async function tokenOf(server: Server, client: Client): Promise<string> {
  const granted = (await (await signIn(server, client)).json()) as { access_token: string };
  return granted.access_token;
}

/** The database opens, contains all the indicators, accepts another one, and is intact. */
export async function expectWhole(
  { folder, file, client }: FilledFolder,
  values: readonly string[],
): Promise<void> {
  const server = await serve(["--no-demo", "--rate-limit", "0"], { folder });
  const token = await tokenOf(server, client);
  expect(await existingValues(server, values, token)).toEqual(values.toSorted());
  const created = await server.request(indicatorsPath, { ...creation(["after.example"]), token });
  expect(created.status).toBe(201);
  expect((await server.stop()).exitCode).toBe(stoppedCode);
  const database = new DatabaseSync(file, { readOnly: true });
  expect(database.prepare("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  database.close();
}
