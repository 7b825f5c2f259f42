import { loadOperation } from "./console/operation-data.ts";
import { sendTo, type Answer } from "./console/send.ts";
import { pageTarget } from "./console/targets.ts";
import "./console/console.css";

/** Sends a read to the platform in the page. */
export async function sendCall(
  operation: string,
  query: Readonly<Record<string, string | number>>,
): Promise<Answer> {
  const input = { query, path: {}, headers: {}, body: null };
  const data = await loadOperation(operation);
  return sendTo(await pageTarget(), data, { input, text: null, files: {} });
}
