import type { Store } from "@security-platform/server/internal";
import type { DatabaseOptions } from "../../database/options.ts";
import { isInMemory, printableUrl } from "../../database/url.ts";
import { argumentWord } from "../../terminal/shell-word.ts";

/**
 * How to create a client in a database without a demo. `command` is how this program was called. `where`: from where the
 * commands can run, if not from here.
 */
export async function howToCreateClient(
  { directory }: Pick<Store, "directory">,
  options: Pick<DatabaseOptions, "data" | "database" | "secretsKey">,
  command: string,
  where = ", from another terminal",
): Promise<readonly string[]> {
  const { database } = options;
  if (database !== undefined && isInMemory(database)) {
    return ["No client can be created in this database; start the server without --no-demo.", ""];
  }
  const place = placeOf(options);
  const tenants = await directory.tenants();
  const [tenant] = [...tenants.filter(({ parent_cid }) => parent_cid === undefined), ...tenants];
  const choice = tenant === undefined || tenants.length === 1 ? "" : ` --tenant ${tenant.cid}`;
  return [
    `To create a ${tenant === undefined ? "tenant and a client" : "client"}${where}:`,
    "",
    ...(tenant === undefined ? [`  ${command} tenants create my-tenant${place}`] : []),
    `  ${command} clients create my-client${choice}${place}`,
    "",
  ];
}

/** The options that lead to the database from another terminal. */
const placeOf = ({
  data,
  database,
  secretsKey,
}: Pick<DatabaseOptions, "data" | "database" | "secretsKey">): string =>
  [
    data === ".data" ? "" : ` --data ${argumentWord(data)}`,
    database === undefined ? "" : ` --database ${argumentWord(printableUrl(database))}`,
    secretsKey === undefined ? "" : ` --secrets-key ${argumentWord(secretsKey)}`,
  ].join("");
