import { foldCase } from "@security-platform/fql";
import { errors, type Problem } from "../../../foundation/errors.ts";
import { changeWithin, createWithin } from "../../../records/plain/write.ts";
import type { Kind, PlainKind, PlainRecord } from "../../../records/plain/kind.ts";
import type { Writing } from "../../../records/write.ts";
import { notificationGroups } from "../notifications/notification-groups.ts";
import { notificationGroupRules } from "../notifications/write-groups.ts";
import { slas } from "../kinds/slas.ts";
import { slaRules, type SlaInput } from "../slas/write-slas.ts";
import { caseTemplates, type CaseTemplate, type StoredTemplate } from "../kinds/templates.ts";
import {
  templateRules,
  type TemplateAuthor,
  type TemplateChanges,
} from "../templates/write-templates.ts";
import { importedChannel } from "./import-channels.ts";
import type { ParsedFile } from "./parse-file.ts";
import {
  completeSla,
  completeTemplate,
  fileGroup,
  fileSla,
  isSame,
  type FileGroup,
  type FileSla,
  type FileTemplate,
} from "./template-file.ts";
import { fileOf } from "./used-records.ts";

/** One record of the files, with the file that it comes from. */
interface Item<Content> {
  readonly content: Content;
  readonly file: ParsedFile;
  /** Its place in the file: `slas[0]`. */
  readonly member: string;
}

/**
 * Stores the templates of files with their SLAs and groups. Returns the template ids in the order
 * of the files.
 */
export async function storeFiles(
  writing: Writing,
  author: TemplateAuthor,
  files: readonly ParsedFile[],
): Promise<readonly string[]> {
  const templates = files.map((file) => ({
    content: completeTemplate(file.content.template),
    file,
    member: "template",
  }));
  const importedSlas = files.flatMap((file) =>
    (file.content.slas ?? []).map((sla, index) => ({
      content: completeSla(sla),
      file,
      member: `slas[${index}]`,
    })),
  );
  const importedGroups = files.flatMap((file) =>
    (file.content.notification_groups ?? []).map((content, index) => ({
      content,
      file,
      member: `notification_groups[${index}]`,
    })),
  );
  refuse([
    ...nameProblems(templates, caseTemplates.noun, true),
    ...nameProblems(importedSlas, slas.noun),
    ...nameProblems(importedGroups, notificationGroups.noun),
  ]);
  await storeGroups(writing, author, distinct(importedGroups));
  await storeSlas(writing, author, distinct(importedSlas));
  return storeTemplates(writing, author, templates);
}

type Named = { readonly name: string };

/** Records with the same name that differ; with `always`, also equal ones. */
function nameProblems<Content extends Named>(
  items: readonly Item<Content>[],
  noun: string,
  always = false,
): readonly Problem[] {
  const first = new Map<string, Item<Content>>();
  return items.flatMap((item) => {
    const key = foldCase(item.content.name);
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, item);
      return [];
    }
    if (!always && isSame(other.content, item.content)) return [];
    const message = `the name ${item.content.name} belongs to another ${noun} in ${JSON.stringify(other.file.name)}`;
    return [{ at: item.file.place(`${item.member}.name`), message }];
  });
}

const distinct = <Content extends Named>(items: readonly Item<Content>[]) => [
  ...new Map(items.toReversed().map((item) => [foldCase(item.content.name), item])).values(),
];

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw errors.invalidRequest(problems);
}

/** Stored records of a kind, by their name in the files. */
async function storedByName<Record extends PlainRecord>(
  { transaction }: Writing,
  { resource }: Kind<Record>,
  names: readonly string[],
): Promise<ReadonlyMap<string, Record>> {
  const records = transaction.records(resource);
  const ids = await records.findDuplicates([...new Set(names.map(foldCase))]);
  const recordsById = await records.getForUpdate([...ids.values()]);
  return new Map([...recordsById.values()].map((record) => [foldCase(record.name), record]));
}

/** Creates a record, or changes the stored one. */
async function store<Record extends PlainRecord, Input, Changes>(
  writing: Writing,
  rules: PlainKind<Record, Input, Changes>,
  before: Record | undefined,
  { at, input, changes }: { readonly at: string; readonly input: Input; readonly changes: Changes },
): Promise<void> {
  if (before === undefined) await createWithin(writing, rules, [{ at, input }]);
  else await changeWithin(writing, rules, [{ at, id: before.id, changes }]);
}

async function storeGroups(
  writing: Writing,
  { stamp }: TemplateAuthor,
  items: readonly Item<FileGroup>[],
): Promise<void> {
  const storedGroups = await storedByName(writing, notificationGroups, namesOf(items));
  for (const { content, file, member } of items) {
    const before = storedGroups.get(foldCase(content.name));
    if (before !== undefined && isSame(fileGroup(before), content)) continue;
    const read = content.channels.map((channel, index) =>
      importedChannel(channel, before, `${member}.channels[${index}]`),
    );
    refuse(
      read
        .flatMap((each) => ("channel" in each ? [] : each))
        .map((problem) => ({ ...problem, at: file.place(problem.at) })),
    );
    const channels = read.flatMap((each) => ("channel" in each ? [each] : []));
    const { name, description } = content;
    await store(writing, notificationGroupRules(stamp), before, {
      at: file.place(member),
      input: { name, channels, ...(description === undefined ? {} : { description }) },
      changes: { name, channels, description: description ?? null },
    });
  }
}

async function storeSlas(
  writing: Writing,
  { stamp }: TemplateAuthor,
  items: readonly Item<FileSla>[],
): Promise<void> {
  const steps = ({ content }: (typeof items)[number]) =>
    content.goals.flatMap(({ escalation_policy }) => escalation_policy?.steps ?? []);
  const groupNames = items.flatMap(steps).map(({ notification_group }) => notification_group);
  const groups = await storedByName(writing, notificationGroups, groupNames);
  const storedSlas = await storedByName(writing, slas, namesOf(items));
  const shown = new Map([...groups.values()].map(({ id, name }) => [id, name]));
  for (const { content, file, member } of items) {
    const before = storedSlas.get(foldCase(content.name));
    if (before !== undefined && isSame(fileSla(before, shown), content)) continue;
    const problems: Problem[] = [];
    const goals: SlaInput["goals"] = content.goals.map((goal, goalIndex) => ({
      type: goal.type,
      duration_seconds: goal.duration_seconds,
      ...(goal.escalation_policy === undefined
        ? {}
        : {
            escalation_policy: {
              steps: goal.escalation_policy.steps.map((step, index) => {
                const { notification_group, escalate_after_seconds = 0 } = step;
                const group = groups.get(foldCase(notification_group));
                if (group === undefined) {
                  const place = `${member}.goals[${goalIndex}].escalation_policy.steps[${index}].notification_group`;
                  problems.push(missing(file, place, notificationGroups.noun, notification_group));
                }
                return { notification_group_id: group?.id ?? "", escalate_after_seconds };
              }),
            },
          }),
    }));
    refuse(problems);
    const { name, description } = content;
    await store(writing, slaRules(stamp), before, {
      at: file.place(member),
      input: { name, goals, ...(description === undefined ? {} : { description }) },
      changes: { name, goals, description: description ?? null },
    });
  }
}

async function storeTemplates(
  writing: Writing,
  author: TemplateAuthor,
  items: readonly Item<FileTemplate>[],
): Promise<readonly string[]> {
  const used = items.flatMap(({ content }) => slaNames(content));
  const storedSlas = await storedByName(writing, slas, used);
  const storedTemplates = await storedByName(writing, caseTemplates, namesOf(items));
  const rules = templateRules(author);
  for (const { content, file, member } of items) {
    const stored = storedTemplates.get(foldCase(content.name));
    if (stored !== undefined) {
      const shown = await fileOf((kind) => writing.transaction.records(kind), stored, writing.now);
      if (isSame(shown.template, content)) continue;
    }
    refuse(
      slaNames(content).flatMap((name) =>
        storedSlas.has(foldCase(name)) ? [] : [missing(file, `${member}.sla`, slas.noun, name)],
      ),
    );
    const idOf = (name: string): string => storedSlas.get(foldCase(name))?.id ?? "";
    const changes = changesOf(content, stored, idOf);
    const { sla_id, description, ...members } = changes;
    await store(writing, rules, stored, {
      at: file.place(member),
      changes,
      input: {
        ...members,
        name: content.name,
        ...(typeof sla_id === "string" ? { sla_id } : {}),
        ...(typeof description === "string" ? { description } : {}),
      },
    });
  }
  const after = await storedByName(writing, caseTemplates, namesOf(items));
  return items.map(({ content }) => after.get(foldCase(content.name))?.id ?? "");
}

const namesOf = (items: readonly Item<Named>[]): readonly string[] =>
  items.map(({ content }) => content.name);

const slaNames = ({ sla, sla_rules = [] }: FileTemplate): readonly string[] => [
  ...(sla === undefined ? [] : [sla]),
  ...sla_rules.map((rule) => rule.sla),
];

const missing = (file: ParsedFile, member: string, noun: string, name: string): Problem => ({
  at: file.place(member),
  message: `there is no ${noun} named ${name}, neither in the files nor in the tenant`,
});

/**
 * The changes that make a stored template equal to the file. Fields, options and rules keep their
 * ids.
 */
function changesOf(
  {
    name,
    description,
    fields = [],
    sla,
    sla_rules = [],
    access_tags = [],
    workflows = [],
  }: FileTemplate,
  stored: StoredTemplate | undefined,
  idOf: (sla: string) => string,
): TemplateChanges {
  const storedFields = new Map(stored?.fields.map((field) => [foldCase(field.name), field]));
  const openRules: CaseTemplate["sla_rules"][number][] = [...(stored?.sla_rules ?? [])];
  return {
    name,
    description: description ?? null,
    sla_id: sla === undefined ? null : idOf(sla),
    fields: fields.map((field) => {
      const storedField = storedFields.get(foldCase(field.name));
      const options = new Map(storedField?.options.map(({ id, value }) => [value, id]));
      return {
        ...field,
        ...(storedField === undefined ? {} : { id: storedField.id }),
        options: (field.options ?? []).map(({ value }) => {
          const id = options.get(value);
          return { value, ...(id === undefined ? {} : { id }) };
        }),
      };
    }),
    sla_rules: sla_rules.map(({ type, condition, sla: named }) => {
      const index = openRules.findIndex((rule) => rule.condition === condition);
      const [storedRule] = index < 0 ? [] : openRules.splice(index, 1);
      return { type, condition, sla_id: idOf(named), ...(storedRule && { id: storedRule.id }) };
    }),
    access_tags: access_tags.map((key) => ({ key })),
    workflows,
  };
}
