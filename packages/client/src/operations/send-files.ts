import { files } from "#files";
import type { FileOptions } from "../sending/call-options.ts";
import type { Descriptor } from "../wire/descriptor.ts";
import { scalar } from "../wire/encode.ts";
import type { StreamedBody } from "../sending/outgoing.ts";
import { has, isBlob, sourceOf, type Source } from "./file-source.ts";
import { StreamedForm } from "./streamed-form.ts";

/** A form with files. Throws a `TypeError` for a value that cannot be sent. */
export async function formWithFiles(
  descriptor: Descriptor,
  body: object,
  options: FileOptions,
): Promise<FormData | StreamedBody> {
  const form = isForm(body) ? body : undefined;
  const parts = [...(form?.entries() ?? Object.entries(body))].filter(
    ([, value]) => value !== undefined,
  );
  const isText = ([, value]: [string, unknown]): boolean => typeof value !== "object";
  const texts = parts
    .filter(isText)
    .map(([name, value]) => [name, String(scalar(descriptor, name, value))] as const);
  const others = parts.filter((part) => !isText(part));
  const blobs = others.filter((part): part is [string, Blob] => isBlob(part[1]));
  const areNative = blobs.length === others.length && blobs.every(([, blob]) => "stream" in blob);
  if (!files.canStream && areNative && isSendable(form ?? new FormData())) {
    return form ?? plainForm(texts, blobs);
  }
  const sources: [string, Source][] = [];
  for (const [name, value] of others) {
    sources.push([name, await sourceOf(`${descriptor.id}: ${name}`, value)]);
  }
  return new StreamedForm(texts, sources, options);
}

/** A `FormData` of any realm. */
const isForm = (body: unknown): body is FormData => has(body, "entries", "getAll");

/** Whether `fetch` sends it as a form. It would send one of another realm, such as that of jsdom, as its name. */
const isSendable = (form: FormData): boolean =>
  new Response(form).headers.get("content-type")?.startsWith("multipart/") === true;

/** Files come last, because a server may need the other parts before them. */
function plainForm(
  texts: readonly (readonly [string, string])[],
  blobs: readonly [string, Blob][],
): FormData {
  const form = new FormData();
  for (const [name, text] of texts) form.append(name, text);
  for (const [name, blob] of blobs) form.append(name, blob);
  return form;
}
