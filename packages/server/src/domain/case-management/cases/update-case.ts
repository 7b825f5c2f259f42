import type { components } from "@security-platform/spec";
import { errors, type Problem } from "../../../foundation/errors.ts";
import { defined } from "../../../records/defined.ts";
import { write, type Writing, type WritingCall } from "../../../records/write.ts";
import type { RecordText, Transaction } from "../../../store/index.ts";
import { caseReader, type CaseReader } from "../access-tags/reader.ts";
import { lockOutProblems, requestedAccessTags } from "../access-tags/requested-access-tags.ts";
import { withSla } from "./case-sla.ts";
import {
  newestTemplate,
  templateOfSnapshot,
  type TemplateInUse,
} from "../templates/template-in-use.ts";
import { identifyCaller } from "../identity.ts";
import type { Case, StoredCase } from "../kinds/cases.ts";
import { changeCase } from "./change-case.ts";
import { changedFields, fromTemplate, missingFields } from "./custom-fields.ts";
import { severityOf } from "./severity.ts";
import type { UnfilledCase } from "../kinds/store-cases.ts";
import { usersOfRequest } from "./users-of-request.ts";

type Input = components["schemas"]["CaseUpdateRequest"];
type Fields = Input["fields"];

const at = "body.fields";

/** The case as entities.cases.patch.v2 changes it: members of `fields` replace stored ones. */
export async function updateCase(call: WritingCall, input: Input): Promise<RecordText> {
  const { fields } = input;
  const identity = await identifyCaller(call);
  const reader = await caseReader(call);
  const { severity, problems } = severityOf(fields, at);
  const users = await usersOfRequest(call, fields, at);
  const plain = [...problems, ...users.problems, ...assignmentProblems(fields)];
  if (plain.length > 0) throw errors.invalidRequest(plain);
  return write(call, (writing) =>
    changeCase(writing, { identity, reader }, input.id, {
      expectedVersion: input.expected_version,
      expectedConsistencyVersion: input.expected_consistency_version,
      slasActive: fields.slas_active,
      apply: async (stored) => {
        const { assigned_to: _assigned, ...unassigned } = stored;
        const { name, description, description_format, description_tagged_users } = fields;
        const changed: StoredCase = {
          ...(fields.remove_user_assignment === true ? unassigned : stored),
          ...defined({ name, description, description_format, description_tagged_users }),
          ...severity,
          ...(users.assignedTo === undefined ? {} : { assigned_to: users.assignedTo }),
          status: nextStatus(stored.status, fields.status),
        } as StoredCase;
        const restricted = await withAccessTags(writing, reader, changed, fields);
        const whole = await withFields(writing, restricted, fields);
        refuseClosing(stored, whole);
        return whole;
      },
    }),
  );
}

function assignmentProblems(fields: Fields): readonly Problem[] {
  if (fields.remove_user_assignment !== true || fields.assigned_to_user_uuid === undefined)
    return [];
  const message = "cannot be combined with assigned_to_user_uuid; send one of them";
  return [{ at: `${at}.remove_user_assignment`, message }];
}

/** The status of a case after a change. A closed case that gets another status is reopened. */
export function nextStatus(
  current: Case["status"],
  requested: Case["status"] | undefined,
): Case["status"] {
  if (requested === undefined || requested === current) return current;
  return current === "closed" ? "reopened" : requested;
}

async function withAccessTags(
  { transaction, now }: Writing,
  reader: CaseReader,
  stored: StoredCase,
  { access_tags: inputs }: Fields,
): Promise<StoredCase> {
  if (inputs === undefined) return stored;
  const place = `${at}.access_tags`;
  const { tags, problems } = await requestedAccessTags(transaction, inputs, { at: place, now });
  const all = [...problems, ...lockOutProblems(reader, tags, place)];
  if (all.length > 0) throw errors.invalidRequest(all);
  return { ...stored, access_tags: [...tags] };
}

/** Changes the template, values of fields and the status of workflows, in this order. */
async function withFields(
  { transaction, now }: Writing,
  stored: UnfilledCase,
  { template: requestedTemplate, custom_fields = [], workflows = [] }: Fields,
): Promise<UnfilledCase> {
  let changed = stored;
  let template = null;
  if (requestedTemplate !== undefined) {
    template = await newestTemplate(transaction, requestedTemplate.id);
    if (template === null) {
      const message = `there is no template ${requestedTemplate.id}`;
      throw errors.invalidRequest([{ at: `${at}.template.id`, message }]);
    }
    const { sla: _sla, ...without } = stored;
    const inUse = await templateOf(transaction, stored);
    changed = { ...without, ...fromTemplate(template, { ...stored, inUse }) };
    changed = await withSla(transaction, changed, template, now);
  } else if (custom_fields.length > 0) {
    template = await templateOf(transaction, stored);
  }
  const { fields, problems } = changedFields(
    changed.fields,
    custom_fields,
    template,
    `${at}.custom_fields`,
  );
  const workflowIds = new Set(changed.workflows.map(({ id }) => id));
  const unknown = workflows.flatMap(({ id }, index): readonly Problem[] =>
    workflowIds.has(id)
      ? []
      : [{ at: `${at}.workflows[${index}].id`, message: `the case has no workflow ${id}` }],
  );
  if (problems.length + unknown.length > 0) throw errors.invalidRequest([...problems, ...unknown]);
  const states = new Map(workflows.map((workflow) => [workflow.id, workflow]));
  return {
    ...changed,
    fields,
    workflows: changed.workflows.map((workflow) => {
      const { execution_id, status } = states.get(workflow.id) ?? workflow;
      return { ...workflow, execution_id, status };
    }),
  };
}

/** The version of the template that the case uses; null without a template. */
const templateOf = async (
  transaction: Transaction,
  { template }: UnfilledCase,
): Promise<TemplateInUse | null> =>
  template === undefined ? null : templateOfSnapshot(transaction, template.snapshot_id);

/**
 * 409 if a closed case would lose values that its template requires. Values that were missing
 * before may remain missing.
 */
function refuseClosing(before: StoredCase, { id, status, fields }: UnfilledCase): void {
  if (status !== "closed") return;
  const lacked = before.status === "closed" ? missingFields(before.fields) : [];
  const missing = missingFields(fields).filter((name) => !lacked.includes(name));
  if (missing.length === 0) return;
  const message = `the case cannot be closed while required fields are empty: ${missing.join(", ")}; send their values in custom_fields`;
  throw errors.conflict([{ at: `${at}.status`, id, message }]);
}
