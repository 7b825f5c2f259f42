import { loadOperation } from "../console/operation-data.ts";
import { sendTo } from "../console/send.ts";
import { pageTarget } from "../console/targets.ts";

/** Number of the demo's records that a filter matches, from the platform in the page. */
export async function countMatches(operationId: string, filter: string): Promise<number> {
  const operation = await loadOperation(operationId);
  // Pages by cursor have no total.
  const isCounted = operation.parameters.some(({ name }) => name === "offset");
  const query = {
    limit: 1,
    ...(isCounted && { offset: 0 }),
    ...(filter.trim() !== "" && { filter }),
  };
  const answer = await sendTo(await pageTarget(), operation, {
    input: { query, path: {}, headers: {}, body: null },
    text: null,
    files: {},
  });
  const total = answer.headers.find(([name]) => name === "x-total-count")?.[1];
  if (answer.status !== 200 || total === undefined) {
    throw new Error(`The platform responds with the status ${answer.status}: ${answer.text ?? ""}`);
  }
  return Number(total);
}
