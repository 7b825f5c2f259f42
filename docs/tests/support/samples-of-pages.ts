import { operations, type Operation } from "@security-platform/spec";
import { groupsOf } from "../../scripts/reference/operation-order.ts";
import { sampleInput, type SampleBody } from "../../scripts/reference/sample-input.ts";

/** The operations in the order in which their pages are read, without those that need no token. */
export const operationsInOrder: readonly Operation[] = [
  ...Map.groupBy(
    operations().filter(({ scope }) => scope !== null),
    ({ tag }) => tag,
  ).values(),
].flatMap((collection) => groupsOf(collection).flatMap((group) => group.operations));

/** Whether an operation only reads. */
export const reads = ({ method, scope }: Operation): boolean =>
  method === "get" || method === "head" || scope?.endsWith(":read") === true;

/** Where samples are sent to. */
export interface Sender {
  readonly url: string;
  readonly token: string;
  /** Query parameters instead of those of the sample. */
  readonly query?: Readonly<Record<string, unknown>>;
}

export interface Outcome {
  readonly id: string;
  /** `GET /iocs/queries/indicators/v1`. */
  readonly call: string;
  readonly status: number;
  readonly expected: number;
  /** Whether the response has a record, or anything else that was asked for. */
  readonly hasData: boolean;
  /** The start of the response. */
  readonly text: string;
}

/** Sends the sample of an operation's page as it is printed there. */
export async function sendSample(operation: Operation, sender: Sender): Promise<Outcome> {
  const { id, method, path, successStatus } = operation;
  const response = await fetch(await requestOf(operation, sender));
  const text = await response.text();
  return {
    id,
    call: `${method.toUpperCase()} ${path}`,
    status: response.status,
    expected: successStatus,
    hasData: method === "head" || dataIn(text),
    text: text.slice(0, 400),
  };
}

/** The outcomes that are not as the page says. Reads have data; what a write returns depends on the operation. */
export const failures = (outcomes: readonly Outcome[]): readonly Outcome[] =>
  outcomes.filter(({ id, status, expected, hasData }) => {
    if (status !== expected) return true;
    const operation = operationsInOrder.find((each) => each.id === id);
    return operation !== undefined && reads(operation) && !hasData;
  });

/** The request of a sample. */
export async function requestOf(
  operation: Operation,
  { url, token, query: other }: Sender,
): Promise<Request> {
  const { query: sampled, path, headers, body } = sampleInput(operation);
  const query = { ...sampled, ...other };
  const address = operation.path.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) =>
    encodeURIComponent(String(path[name])),
  );
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map(
        (item) => [name, String(item)] as [string, string],
      ),
    ),
  ).toString();
  const target = `${url}${address}${parameters === "" ? "" : `?${parameters}`}`;
  const sent = new Headers({ authorization: `Bearer ${token}` });
  for (const [name, value] of Object.entries(headers)) sent.set(name, String(value));
  if (sent.has("x-scan-ticket")) {
    const { headers: asked } = await fetch(target, { method: "HEAD", headers: sent });
    sent.set("x-scan-ticket", asked.get("x-scan-ticket") ?? "");
  }
  const content = body === null ? null : contentOf(body);
  if (content?.mediaType !== undefined) sent.set("content-type", content.mediaType);
  return new Request(target, {
    method: operation.method.toUpperCase(),
    headers: sent,
    redirect: "manual",
    ...(content === null ? {} : { body: content.body }),
  });
}

function contentOf({ mediaType, value, files }: SampleBody) {
  if (mediaType !== "multipart/form-data") return { mediaType, body: JSON.stringify(value) };
  const form = new FormData();
  for (const [name, text] of Object.entries(value as Record<string, unknown>)) {
    if (files.includes(name)) form.append(name, new Blob([String(text)]), "example.txt");
    else form.append(name, String(text));
  }
  // The form adds its media type, which has a boundary.
  return { mediaType: undefined, body: form };
}

function dataIn(text: string): boolean {
  if (text === "") return false;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return true;
  }
  if (Array.isArray(body)) return body.length > 0;
  const { resources, files, data } = body as { [name: string]: unknown };
  const list = resources ?? files ?? data;
  return Array.isArray(list) ? list.length > 0 : true;
}
