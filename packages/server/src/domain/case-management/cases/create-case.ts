import type { components } from "@security-platform/spec";
import { errors, type Problem } from "../../../foundation/errors.ts";
import { write, type WritingCall } from "../../../records/write.ts";
import type { RecordText } from "../../../store/index.ts";
import { caseReader } from "../access-tags/reader.ts";
import {
  lockOutProblems,
  ofCase,
  requestedAccessTags,
} from "../access-tags/requested-access-tags.ts";
import {
  analysed,
  evidenceProblems,
  idsOfInput,
  noEvidence,
  refuseTooMuch,
  storedEvidence,
  withMore,
} from "../evidence/collect.ts";
import { withSla } from "./case-sla.ts";
import { newestTemplate } from "../templates/template-in-use.ts";
import { identifyCaller } from "../identity.ts";
import { fromTemplate, missingFields } from "./custom-fields.ts";
import { newCase, nextReferenceId } from "./new-case.ts";
import { severityOf } from "./severity.ts";
import { insertCase, type UnfilledCase } from "../kinds/store-cases.ts";
import { tagProblems, withTags } from "./tags.ts";
import { usersOfRequest } from "./users-of-request.ts";

type Input = components["schemas"]["CaseCreateRequest"];

const at = "body";

/** Creates the case of entities.cases.put.v2. Throws a 400 for references to records that do not exist. */
export async function createCase(call: WritingCall, input: Input): Promise<RecordText> {
  const identity = await identifyCaller(call);
  const reader = await caseReader(call);
  const level = severityOf(input, at);
  const { assignedTo, problems: userProblems } = await usersOfRequest(call, input, at);
  const tags = withTags([], input.tags ?? []);
  const plain = [...level.problems, ...userProblems, ...tagProblems(tags, `${at}.tags`)];
  const { severity } = level;
  if (severity === null || plain.length > 0) throw errors.invalidRequest(plain);
  const ids = idsOfInput(input.evidence);
  const evidence = withMore(noEvidence, ids);
  refuseTooMuch(evidence, `${at}.evidence`);
  return write(call, async (writing) => {
    const { transaction, now } = writing;
    const template = input.template && (await newestTemplate(transaction, input.template.id));
    const named = await requestedAccessTags(transaction, input.access_tags ?? [], {
      at: `${at}.access_tags`,
      now,
    });
    const storedIds = await storedEvidence(transaction, [ids]);
    const problems: Problem[] = [
      ...named.problems,
      ...evidenceProblems(storedIds, ids, `${at}.evidence`),
    ];
    if (input.template !== undefined && !template) {
      const message = `there is no template ${input.template.id}`;
      problems.push({ at: `${at}.template.id`, message });
    }
    const access_tags = unique([
      ...named.tags,
      ...(template?.template.access_tags ?? []).map(ofCase),
    ]);
    const lockedOut = input.access_tags === undefined ? `${at}.template` : `${at}.access_tags`;
    problems.push(...lockOutProblems(reader, access_tags, lockedOut));
    const created: UnfilledCase = {
      ...newCase(call.caller.cid, now, identity, { name: input.name, severity }),
      reference_id: await nextReferenceId(transaction),
      description: input.description ?? "",
      description_format: input.description_format ?? "text",
      description_tagged_users: [...(input.description_tagged_users ?? [])],
      status: input.status ?? "new",
      ...(assignedTo === undefined ? {} : { assigned_to: assignedTo }),
      tags,
      access_tags: [...access_tags],
      evidence,
      ...(template ? fromTemplate(template) : {}),
    };
    problems.push(...closingProblems(created));
    if (problems.length > 0) throw errors.invalidRequest(problems);
    return insertCase(
      writing,
      await withSla(transaction, analysed(storedIds, created), template ?? null, now),
    );
  });
}

function closingProblems({ status, fields }: UnfilledCase): readonly Problem[] {
  const missing = status === "closed" ? missingFields(fields) : [];
  if (missing.length === 0) return [];
  const message = `a case cannot be closed while required fields are empty: ${missing.join(", ")}`;
  return [{ at: `${at}.status`, message }];
}

const unique = <Item extends { readonly id: string }>(items: readonly Item[]): readonly Item[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
];
