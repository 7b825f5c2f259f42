import { where } from "@security-platform/fql";
import { errors, type Problem } from "../../../foundation/errors.ts";
import { write, type WritingCall } from "../../../records/write.ts";
import type { Transaction } from "../../../store/index.ts";
import { caseReader, everyCase, type CaseReader } from "../access-tags/reader.ts";
import { cases } from "../kinds/cases.ts";
import { caseTemplates, type StoredTemplate } from "../kinds/templates.ts";

/** Maximum number of cases that an error names for a template. */
const casesNamed = 10;

/**
 * Deletes templates, all or none; their snapshots remain. 409 while a case that is not closed uses one
 * of them.
 */
export async function deleteTemplates(
  call: WritingCall & Parameters<typeof caseReader>[0],
  requestedIds: readonly string[],
): Promise<readonly string[]> {
  const ids = [...new Set(requestedIds)];
  const reader = await caseReader(call);
  await write(call, async (writing) => {
    const records = writing.records(caseTemplates.resource);
    const stored = await records.getForUpdate(ids, caseTemplates.noun);
    const problems: Problem[] = [];
    for (const template of stored) {
      problems.push(...(await useProblems(writing.transaction, template, reader, writing.now)));
    }
    if (problems.length > 0) throw errors.conflict(problems);
    await records.remove(ids);
  });
  return ids;
}

/** One problem for each open case of the template; cases that the caller cannot see are only counted. */
async function useProblems(
  transaction: Transaction,
  { id, name }: StoredTemplate,
  reader: CaseReader,
  now: Date,
): Promise<readonly Problem[]> {
  const open = where.all(
    where.equal("case_template_id", id),
    where.not(where.equal("status", "closed")),
  );
  const total = await transaction.records(cases, everyCase(reader.cid)).count(open, now);
  if (total === 0) return [];
  const visible = transaction.records(cases, reader);
  const query = { predicate: open, sort: [], limit: casesNamed, shape: "ids", now } as const;
  const { items } = await visible.page(query);
  const named = [...(await visible.getComplete(items, now)).values()];
  const used = `the template ${id}, ${name}, is in use by`;
  const problems = named.map((each): Problem => ({
    at: "",
    id,
    message: `${used} the case ${each.reference_id}, ${each.name}; close that one first`,
  }));
  const others = total - named.length;
  if (others === 0) return problems;
  const message = `${used} ${others} ${named.length === 0 ? "" : "more "}${others === 1 ? "case" : "cases"} that ${others === 1 ? "is" : "are"} not closed`;
  return [...problems, { at: "", id, message }];
}
