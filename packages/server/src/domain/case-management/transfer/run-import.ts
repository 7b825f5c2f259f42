import { setImmediate } from "node:timers/promises";
import { createTwoFilesPatch } from "diff";
import { errors } from "../../../errors.ts";
import type { Handler } from "../../../handler.ts";
import { write, type Writing } from "../../../records/write.ts";
import type { RecordText } from "../../../store/types.ts";
import { withMember } from "../access-tags/has-access.ts";
import { ownHolderKey } from "../access-tags/reader.ts";
import { urlProblems } from "../notifications/write-groups.ts";
import { stampOf } from "../stamps.ts";
import { templateText } from "../templates/snapshots.ts";
import { caseTemplates, type CaseTemplate } from "../templates/templates.ts";
import { textOf } from "./export-templates.ts";
import { storeFiles } from "./import-templates.ts";
import { parseFile, type ParsedFile } from "./parse-file.ts";
import { readUpload } from "./read-archive.ts";
import { fileOf } from "./used-records.ts";
import { foldCase } from "@security-platform/fql";

/** Ends the transaction of a dry run, so that nothing of it stays. */
class DryRun extends Error {
  readonly records: readonly RecordText[];

  constructor(records: readonly RecordText[]) {
    super("a dry run");
    this.records = records;
  }
}

/** Imports an archive or a file, all or none. */
export const importTemplates: Handler<"entities.templates_import.post.v1"> = async (call) => {
  const { body, files, context, caller } = call;
  const results: ReturnType<typeof parseFile>[] = [];
  for (const file of await readUpload(files.file)) {
    results.push(parseFile(file));
    // Other requests are answered between the files.
    // oxlint-disable-next-line no-await-in-loop -- see above
    await setImmediate();
  }
  const parsed = results.filter((result): result is ParsedFile => "content" in result);
  const problems = results.flatMap((result) => ("content" in result ? [] : result));
  if (problems.length > 0) throw errors.invalidRequest(problems);
  await refuseUrls(parsed, context);
  const author = { stamp: await stampOf(call), holder: ownHolderKey(caller) };
  const imported = write(call, async (writing) => {
    const before = body.dry_run ? await filesBefore(writing, parsed) : [];
    const ids = await storeFiles(writing, author, parsed);
    if (body.dry_run) throw new DryRun(await withDifferences(writing, ids, before));
    const stored = await writing.transaction.records(caseTemplates.resource).get(ids, call.now);
    return ids.flatMap((id) => stored.get(id) ?? []);
  });
  const records = await imported.catch((error: unknown) => {
    if (error instanceof DryRun) return error.records;
    throw error;
  });
  return { kind: "records", records };
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

/** The stored templates of the same names as files; the empty text for those that are new. */
async function filesBefore(
  { transaction, now }: Writing,
  files: readonly ParsedFile[],
): Promise<readonly string[]> {
  const records = transaction.records(caseTemplates.resource);
  const texts: string[] = [];
  for (const { content } of files) {
    const [id = ""] = (await records.findDuplicates([foldCase(content.template.name)])).values();
    const stored = (await records.getForUpdate([id])).get(id);
    texts.push(
      stored === undefined
        ? ""
        : textOf(await fileOf((kind) => transaction.records(kind), stored, now), "yaml"),
    );
  }
  return texts;
}

/** Edits beyond which a difference is not worked out. */
const mostEdits = 20_000;

/** The templates as they would be, each with what would change, as text. */
async function withDifferences(
  { transaction, now }: Writing,
  ids: readonly string[],
  before: readonly string[],
): Promise<readonly RecordText[]> {
  const stored = await transaction.records(caseTemplates.resource).getForUpdate(ids);
  const records: RecordText[] = [];
  for (const [index, id] of ids.entries()) {
    const template = stored.get(id);
    if (template === undefined) continue;
    const file = await fileOf((kind) => transaction.records(kind), template, now);
    const [old = "", renewed] = [before[index], textOf(file, "yaml")];
    const shown = JSON.parse(templateText(template)) as CaseTemplate;
    records.push(
      JSON.stringify(withMember(shown, "workflows", "difference", difference(old, renewed))),
    );
  }
  return records;
}

/** A unified difference; empty where nothing changes. */
function difference(before: string, after: string): string {
  if (before === after) return "";
  const options = { context: 3, maxEditLength: mostEdits };
  const patch = createTwoFilesPatch("stored", "imported", before, after, "", "", options);
  return patch ?? `the file differs in more than ${mostEdits} lines\n`;
}
