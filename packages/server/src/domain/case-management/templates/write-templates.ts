import { FqlSyntaxError } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import { newIdentifier } from "../../../foundation/identifiers.ts";
import { errors, type Problem } from "../../../foundation/errors.ts";
import { filterReader } from "../../../records/filters.ts";
import { cleared, defined, type Clearable } from "../../../records/defined.ts";
import type { Named, PlainKind } from "../../../records/plain/kind.ts";
import { caseFields } from "../kinds/cases.ts";
import { slas } from "../kinds/slas.ts";
import { created, stampsOf, updated, type Stamp } from "../stamps.ts";
import { templateText, withSnapshot } from "./snapshots.ts";
import { boundTags, tagsOf, type AccessTagInput } from "./template-access-tags.ts";
import {
  fieldProblems,
  fieldsOf,
  repeated,
  stamped,
  unknownFieldIds,
  type FieldInput,
} from "./template-fields.ts";
import { caseTemplates, type CaseTemplate, type StoredTemplate } from "../kinds/templates.ts";

type Schemas = components["schemas"];
type Rule = Schemas["CaseTemplateSlaRule"];
type RuleInput = Schemas["CaseTemplateSlaRuleUpdateInput"];

/** A template in a create request. Its fields and rules have no ids yet. */
export type TemplateInput = Schemas["CaseTemplateCreateRequest"];
export type TemplateChanges = Omit<Schemas["CaseTemplateUpdateRequest"], "id">;

/** Maximum length of a snapshot's text. */
const longestText = 4_194_304;

/** An option has at least this many characters in a snapshot, with its id, authors and dates. */
const shortestOption = 300;
const mostOptions = Math.floor(longestText / shortestOption);

/** Maximum number of templates of a tenant; an access tag can list all of them. */
const mostTemplates = 1_000;

/** The author of templates, and the holder of new access tags. */
export interface TemplateAuthor {
  readonly stamp: Stamp;
  readonly holder: string;
}

/** Writes templates for the caller. Each write adds a snapshot. */
export const templateRules = ({
  stamp,
  holder,
}: TemplateAuthor): PlainKind<StoredTemplate, TemplateInput, TemplateChanges> => ({
  ...caseTemplates,
  unique: ["name"],
  make: ({ fields = [], sla_rules = [], access_tags = [], workflows = [], ...members }, { cid }) =>
    inOrder({
      id: newIdentifier(),
      cid,
      ...members,
      fields: fieldsOf(fields, [], stamp),
      sla_rules: rulesOf(sla_rules, [], stamp),
      access_tags: tagsOf(access_tags, cid),
      workflows: inDisplayOrder(workflows),
      ...created(stamp),
      version: 0,
      snapshot_id: "",
    }),
  change: (template, changes) => {
    const { name, description, fields, sla_id, sla_rules, access_tags, workflows } = changes;
    refuseUnknown(template, fields ?? [], sla_rules ?? []);
    return inOrder({
      ...template,
      ...defined({ name }),
      ...cleared({ description, sla_id }),
      ...(fields === undefined ? {} : { fields: fieldsOf(fields, template.fields, stamp) }),
      ...(sla_rules === undefined
        ? {}
        : { sla_rules: rulesOf(sla_rules, template.sla_rules, stamp) }),
      ...(access_tags === undefined ? {} : { access_tags: tagsOf(access_tags, template.cid) }),
      ...(workflows === undefined ? {} : { workflows: inDisplayOrder(workflows) }),
      ...updated(stamp),
    });
  },
  maximum: mostTemplates,
  problems: ({ at }, input) => templateProblems(input, at),
  references: [{ member: "sla_ids", target: slas, namesIn: slasIn }],
  finish: async (transaction, { at, before, after }, now) => {
    const access_tags = await boundTags(transaction, after, { at, before, holder, now });
    const template = { ...after, access_tags };
    refuseTooLong(template, at);
    return withSnapshot(transaction, template, stamp, now);
  },
});

/**
 * The problems of a template that do not depend on other records. `at`: its place in the request.
 */
export const templateProblems = (
  {
    fields = [],
    sla_rules = [],
    access_tags = [],
    workflows = [],
  }: Pick<TemplateChanges, "fields" | "sla_rules" | "access_tags" | "workflows">,
  at: string,
): readonly Problem[] => {
  // First, because checking a hundred thousand options takes a second.
  const options = fields.reduce((sum, field) => sum + (field.options?.length ?? 0), 0);
  if (options > mostOptions) {
    const message = `have ${options} options together, of at most ${mostOptions}; leave out fields or options`;
    return [{ at: `${at}.fields`, message }];
  }
  return [
    ...fieldProblems(fields, `${at}.fields`),
    ...ruleProblems(sla_rules, `${at}.sla_rules`),
    ...repeated(access_tags, keyOfTag, `${at}.access_tags`, "key"),
    ...repeated(workflows, ({ id }) => id, `${at}.workflows`, "id"),
  ];
};

const keyOfTag = ({ id, key }: AccessTagInput): string | undefined => id ?? key;

const inDisplayOrder = (workflows: CaseTemplate["workflows"]): CaseTemplate["workflows"] =>
  workflows.toSorted((left, right) => left.display_order - right.display_order);

function rulesOf(inputs: readonly RuleInput[], before: readonly Rule[], stamp: Stamp): Rule[] {
  const earlierRules = new Map(before.map((rule) => [rule.id, rule]));
  return inputs.map(({ id = "", type, condition, sla_id }) => {
    const rule = earlierRules.get(id);
    return stamped({ id: rule?.id ?? newIdentifier(), type, condition, sla_id }, rule, stamp);
  });
}

function ruleProblems(rules: readonly RuleInput[], at: string): readonly Problem[] {
  const conditions = rules.flatMap(({ condition }, index) => {
    try {
      filterReader(caseFields).predicate(condition, new Date(0));
      return [];
    } catch (error) {
      if (!(error instanceof FqlSyntaxError)) throw error;
      return [{ at: `${at}[${index}].condition`, message: error.message }];
    }
  });
  return [...conditions, ...repeated(rules, ({ id }) => id, at, "id")];
}

/** 404 for ids of fields, options and rules that do not belong to the template. */
function refuseUnknown(
  { id, fields, sla_rules }: StoredTemplate,
  inputs: readonly FieldInput[],
  rules: readonly RuleInput[],
): void {
  const unknown = unknownFieldIds(inputs, fields);
  const ruleIds = new Set(sla_rules.map((rule) => rule.id));
  const unknownRules = rules.flatMap((rule) =>
    rule.id === undefined || ruleIds.has(rule.id) ? [] : [rule.id],
  );
  const missing = (
    [
      [`field of template ${id},`, unknown.fields],
      [`option of that field of template ${id},`, unknown.options],
      [`rule of template ${id},`, unknownRules],
    ] as const
  ).find(([, ids]) => ids.length > 0);
  if (missing !== undefined) throw errors.recordsNotFound(missing[0], missing[1]);
}

const slasIn = ({ sla_id, sla_rules }: StoredTemplate): readonly Named[] => [
  ...(sla_id === undefined ? [] : [{ id: sla_id, place: ".sla_id" }]),
  ...sla_rules.map((rule, index) => ({ id: rule.sla_id, place: `.sla_rules[${index}].sla_id` })),
];

function refuseTooLong(template: StoredTemplate, at: string): void {
  const { length } = templateText(template);
  if (length <= longestText) return;
  const message = `the template would take ${length} characters as JSON, of at most ${longestText}; leave out fields or options`;
  throw errors.invalidRequest([{ at, message }]);
}

type Draft = Clearable<Omit<StoredTemplate, "sla_ids" | "sla_method">, "description" | "sla_id">;

function inOrder(template: Draft): StoredTemplate {
  const { id, cid, name, description, fields, sla_id, sla_rules } = template;
  const { access_tags, workflows, version, snapshot_id } = template;
  const used = [...(sla_id === undefined ? [] : [sla_id]), ...sla_rules.map((rule) => rule.sla_id)];
  return {
    id,
    cid,
    name,
    ...(description === undefined ? {} : { description }),
    fields,
    sla_method: sla_rules.length > 0 ? "rules" : sla_id === undefined ? "none" : "fixed",
    ...(sla_id === undefined ? {} : { sla_id }),
    sla_rules,
    access_tags,
    workflows,
    ...stampsOf(template),
    version,
    snapshot_id,
    sla_ids: [...new Set(used)],
  };
}
