import type { Caller } from "../../../calls/call.ts";
import { errors } from "../../../foundation/errors.ts";
import type { Handler } from "../../../calls/handler.ts";
import { write, type Writing } from "../../../records/write.ts";
import type { RecordText } from "../../../store/index.ts";
import { withMember } from "../access-tags/has-access.ts";
import { accessTags } from "../access-tags/access-tags.ts";
import { heldAmong, ownHolderKey } from "../access-tags/reader.ts";
import { urlProblems } from "../notifications/write-groups.ts";
import { stampOf } from "../stamps.ts";
import { templateText } from "../templates/snapshots.ts";
import { shownTemplate, shownTemplates } from "../templates/shown-templates.ts";
import { caseTemplates, type CaseTemplate } from "../kinds/templates.ts";
import { storeFiles } from "./import-templates.ts";
import { parseFiles, type ParsedFile } from "./parse-file.ts";
import { readUpload } from "./read-archive.ts";
import type { TemplateFile } from "./template-file.ts";
import { differenceOf } from "./texts.ts";
import { fileOf } from "./used-records.ts";
import { foldCase } from "@security-platform/fql";

/** A template after a dry run. */
interface Preview {
  readonly template: object;
  /** Null: the template is new. */
  readonly before: TemplateFile | null;
  readonly after: TemplateFile;
}

/** Rolls back the transaction of a dry run. */
class DryRun extends Error {
  readonly previews: readonly Preview[];

  constructor(previews: readonly Preview[]) {
    super("a dry run");
    this.previews = previews;
  }
}

/** Imports an archive or a file, all or none. */
export const importTemplates: Handler<"entities.templates_import.post.v1"> = async (call) => {
  const { body, files, context, caller } = call;
  const parsed = await parseFiles(await readUpload(files.file));
  await refuseUrls(parsed, context);
  const author = { stamp: await stampOf(call), holder: ownHolderKey(caller) };
  const imported = write(call, async (writing) => {
    const before = body.dry_run ? await filesBefore(writing, parsed) : [];
    const ids = await storeFiles(writing, author, parsed);
    if (body.dry_run) throw new DryRun(await previewsOf(writing, ids, before, caller));
    const stored = await writing.transaction.records(caseTemplates.resource).get(ids, call.now);
    return ids.flatMap((id) => stored.get(id) ?? []);
  });
  try {
    return { kind: "records", records: await shownTemplates(call, await imported) };
  } catch (error) {
    if (!(error instanceof DryRun)) throw error;
    return { kind: "records", records: await withDifferences(error.previews) };
  }
};

/** 400 for URLs of channels that the server must not use. */
async function refuseUrls(
  files: readonly ParsedFile[],
  { outgoing }: Parameters<typeof importTemplates>[0]["context"],
): Promise<void> {
  const urls = files.flatMap(({ content, place }) =>
    (content.notification_groups ?? []).flatMap(({ channels }, group) =>
      channels.flatMap(({ params: { url } }, channel) =>
        url === undefined
          ? []
          : [
              {
                at: place(`notification_groups[${group}].channels[${channel}].params.url`),
                text: url,
              },
            ],
      ),
    ),
  );
  const problems = await urlProblems(
    urls.map((url) => ({ url })),
    outgoing,
  );
  if (problems.length > 0) throw errors.invalidRequest(problems);
}

/** The stored templates with the same names, in file form. */
async function filesBefore(
  { transaction, now }: Writing,
  files: readonly ParsedFile[],
): Promise<readonly (TemplateFile | null)[]> {
  const records = transaction.records(caseTemplates.resource);
  const before: (TemplateFile | null)[] = [];
  for (const { content } of files) {
    const [id = ""] = (await records.findDuplicates([foldCase(content.template.name)])).values();
    const stored = (await records.getForUpdate([id])).get(id);
    const read = stored && (await fileOf((kind) => transaction.records(kind), stored, now));
    before.push(read ?? null);
  }
  return before;
}

async function previewsOf(
  { transaction, now }: Writing,
  ids: readonly string[],
  before: readonly (TemplateFile | null)[],
  caller: Caller,
): Promise<readonly Preview[]> {
  const stored = await transaction.records(caseTemplates.resource).getForUpdate(ids);
  const held = await heldAmong(transaction.records(accessTags), caller, now);
  const previews: Preview[] = [];
  for (const [index, id] of ids.entries()) {
    const template = stored.get(id);
    if (template === undefined) continue;
    const after = await fileOf((kind) => transaction.records(kind), template, now);
    const shown = shownTemplate(JSON.parse(templateText(template)) as CaseTemplate, held);
    previews.push({ template: shown, before: before[index] ?? null, after });
  }
  return previews;
}

/** The templates after the import, each with its changes as text. */
const withDifferences = (previews: readonly Preview[]): Promise<readonly RecordText[]> =>
  Promise.all(
    previews.map(async ({ template, before, after }) => {
      const text = await differenceOf(before, after);
      return JSON.stringify(withMember(template, "workflows", "difference", text));
    }),
  );
