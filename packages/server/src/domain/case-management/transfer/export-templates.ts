import { where } from "@security-platform/fql";
import { ZipFile } from "yazl";
import { linkTo } from "../../../blobs/links.ts";
import type { Handler } from "../../../calls/handler.ts";
import { requireEach } from "../../../records/get.ts";
import { filterReader } from "../../../records/filters.ts";
import { unusedName } from "../files/file-name.ts";
import { caseTemplates } from "../kinds/templates.ts";
import type { TemplateFile } from "./template-file.ts";
import { yamlText } from "./texts.ts";
import { fileOf } from "./used-records.ts";

/** An archive with a file for each template; the response is a link to it. */
export const exportTemplates: Handler<"entities.templates_export.get.v1"> = async (call) => {
  const { query, caller, context, now, origin } = call;
  const { ids, filter, format } = query;
  const { resource, noun, fields = resource.fields } = caseTemplates;
  const scope = { cid: caller.cid };
  const records = context.store.records(resource, scope);
  if (ids !== undefined) requireEach(await records.get(ids, now), ids, noun);
  const predicate = where.all(
    filterReader(fields).predicate(filter, now),
    ids === undefined ? where.everything : where.anyOf("id", ids),
  );
  const archive = new ZipFile();
  const names = new Set<string>();
  for await (const batch of records.scanComplete(predicate, now)) {
    for (const template of batch) {
      const file = await fileOf((kind) => context.store.records(kind, scope), template, now);
      const name = `${fileName(template.name, names)}.${format}`;
      const mtime = new Date(template.updated_timestamp);
      archive.addBuffer(Buffer.from(await textOf(file, format)), name, { mtime, mode: 0o100644 });
    }
  }
  archive.end();
  const { sha256 } = await context.blobs.put(archive.outputStream as AsyncIterable<Uint8Array>);
  const file = { cid: caller.cid, sha256, name: "templates.zip" };
  const { url } = await linkTo(file, context, origin, now);
  return { kind: "object", object: { link: url } };
};

/** The text of a file. */
const textOf = async (file: TemplateFile, format: "yaml" | "json"): Promise<string> =>
  format === "json" ? `${JSON.stringify(file, null, 2)}\n` : yamlText(file);

/** A file name derived from the template's name; unique in the archive, ignoring case. */
function fileName(name: string, usedNames: Set<string>): string {
  const plain = name.normalize("NFC").replaceAll(/[^\p{L}\p{N}_-]+/gu, "-");
  const base = plain.replaceAll(/^-+|(?<!-)-+$/g, "").slice(0, 80) || "template";
  return unusedName(usedNames, (number) => (number === 1 ? base : `${base}-${number}`));
}
