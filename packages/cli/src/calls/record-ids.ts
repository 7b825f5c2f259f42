import { resolve } from "node:path";
import { calledDocument, type CalledOperation } from "@security-platform/spec";
import { withClient } from "../api/connection.ts";
import { resolveConnection } from "../api/resolve-connection.ts";
import { findServer } from "../api/running-server.ts";
import type { TypedLine } from "../options/offer.ts";
import { methodOf } from "./method-of.ts";

/** A person waits for the ids. */
const longestMilliseconds = 1_500;

/** Maximum number of ids that are completed. */
const most = 100;

/**
 * The ids that a parameter of an operation can have, from the server that runs on this machine. Empty if the
 * line does not call that server, or no operation lists such ids.
 */
export async function idsOfRecords(
  operation: CalledOperation,
  name: string,
  { context, options }: TypedLine,
): Promise<readonly string[]> {
  const list = listOf(operation, name);
  if (list === undefined) return [];
  const { environment, workingFolder } = context;
  const data = options["data"] ?? environment["SECPLAT_DATA"] ?? ".data";
  const connection = { ...options, data };
  const local = findServer(resolve(workingFolder, data));
  if (local === undefined || resolveConnection(connection, context).url !== local.url) {
    return [];
  }
  const hasLimit = list.parameters.some((parameter) => parameter.name === "limit");
  const signal = AbortSignal.timeout(longestMilliseconds);
  return withClient(connection, context, async (client) => {
    const input = hasLimit ? { limit: most } : {};
    const { data: ids } = await methodOf(client, list)(input, { signal });
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
  });
}

/** The operation that lists the ids of a parameter: `/queries/<resource>/` beside `/entities/<resource>/`. */
function listOf({ path }: CalledOperation, name: string): CalledOperation | undefined {
  const [, area = "", own = ""] = /^\/([^/]+)\/[^/]+\/([^/]+)/.exec(path) ?? [];
  const isOwn = name === "id" || name === "ids";
  const named = `${name.replace(/_ids?$/, "").replaceAll("_", "-")}s`;
  // Operations such as /cases/entities/case-tags take the id of the record that their area is named after.
  const [lists = []] = (isOwn ? [own, area] : [named])
    .map(listsOf)
    .filter((found) => found.length > 0);
  return [area, isOwn ? own : named]
    .map((each) => lists.findLast((list) => list.path.startsWith(`/${each}/`)))
    .concat(lists.at(-1))
    .find((list) => list !== undefined);
}

/** The operations that list the ids of a kind of record and need no parameter, the newest last. */
const listsOf = (resource: string): readonly CalledOperation[] =>
  calledDocument().operations.filter(
    ({ path, parameters }) =>
      new RegExp(`/queries/${resource}/v\\d+$`).test(path) &&
      parameters.every(({ required }) => !required),
  );
