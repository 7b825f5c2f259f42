import { foldCase } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import type { Schema } from "../../../validation/schema-validator.ts";
import type { ChannelParams } from "../notifications/channels.ts";
import type { NotificationGroup } from "../notifications/notification-groups.ts";
import type { Sla } from "../kinds/slas.ts";
import { fieldValue } from "../templates/field-values.ts";
import type { CaseTemplate } from "../kinds/templates.ts";

type Schemas = components["schemas"];

/**
 * A template with the SLAs and groups that it uses. Records refer to each other by name and contain
 * neither ids nor secrets.
 */
export interface TemplateFile {
  readonly format: 1;
  readonly template: FileTemplate;
  readonly slas?: readonly FileSla[];
  readonly notification_groups?: readonly FileGroup[];
}

export interface FileTemplate extends Pick<
  Schemas["CaseTemplateCreateRequest"],
  "name" | "description" | "fields" | "workflows"
> {
  readonly sla?: string;
  readonly sla_rules?: readonly FileRule[];
  /** Keys. */
  readonly access_tags?: readonly string[];
}

interface FileRule {
  readonly type: "fql";
  readonly condition: string;
  readonly sla: string;
}

export interface FileSla {
  readonly name: string;
  readonly description?: string;
  readonly goals: readonly Goal<FileStep>[];
}

interface Goal<Step> {
  readonly type: Schemas["SlaGoalType"];
  readonly duration_seconds: number;
  readonly escalation_policy?: { readonly steps: readonly Step[] };
}

interface FileStep {
  readonly notification_group: string;
  readonly escalate_after_seconds?: number;
}

export interface FileGroup {
  readonly name: string;
  readonly description?: string;
  readonly channels: readonly FileChannel[];
}

export interface FileChannel {
  readonly type: Schemas["NotificationChannelType"];
  readonly config_id?: string;
  readonly config_name?: string;
  readonly params: ChannelParams;
}

const nameSchema = { type: "string", minLength: 1, maxLength: 256 };
const text = (maxLength: number) => ({ type: "string", maxLength });
const listOf = (maxItems: number, items: object) => ({ type: "array", maxItems, items });
const component = (schema: keyof Schemas) => ({ $ref: `#/components/schemas/${schema}` });
const record = (required: readonly string[], properties: Readonly<Record<string, object>>) => ({
  type: "object",
  additionalProperties: false,
  required,
  properties,
});

/** A file after parsing. */
export const fileSchema: Schema = record(["format", "template"], {
  format: { type: "integer", const: 1 },
  template: record(["name"], {
    name: nameSchema,
    description: text(2_048),
    fields: listOf(200, component("CaseFieldInput")),
    sla: nameSchema,
    sla_rules: listOf(
      50,
      record(["type", "condition", "sla"], {
        type: component("CaseTemplateSlaRuleType"),
        condition: { type: "string", minLength: 1, maxLength: 8_192 },
        sla: nameSchema,
      }),
    ),
    access_tags: listOf(100, { type: "string", minLength: 1, maxLength: 128 }),
    workflows: listOf(100, component("CaseTemplateWorkflow")),
  }),
  slas: listOf(
    60,
    record(["name", "goals"], {
      name: nameSchema,
      description: text(2_048),
      goals: {
        ...listOf(
          2,
          record(["type", "duration_seconds"], {
            type: component("SlaGoalType"),
            duration_seconds: { type: "integer", minimum: 1, maximum: 315_360_000 },
            escalation_policy: record(["steps"], {
              steps: listOf(
                20,
                record(["notification_group"], {
                  notification_group: nameSchema,
                  escalate_after_seconds: { type: "integer", minimum: 0, maximum: 31_536_000 },
                }),
              ),
            }),
          }),
        ),
        minItems: 1,
      },
    }),
  ),
  notification_groups: listOf(
    1_000,
    record(["name", "channels"], {
      name: nameSchema,
      description: text(2_048),
      channels: {
        ...listOf(
          20,
          record(["type", "params"], {
            type: component("NotificationChannelType"),
            config_id: text(128),
            config_name: text(256),
            params: component("NotificationChannelParams"),
          }),
        ),
        minItems: 1,
      },
    }),
  ),
}) as Schema;

const described = ({ description }: { readonly description?: string }) =>
  description === undefined ? {} : { description };

/** The names of the records that a stored template and its SLAs refer to, by id. */
export type Names = ReadonlyMap<string, string>;

/** A stored template in file form. */
export const fileTemplate = (template: CaseTemplate, names: Names): FileTemplate =>
  completeTemplate({
    name: template.name,
    ...described(template),
    fields: template.fields.map(
      ({ name, data_type, input_type, required, multivalued, ...field }) => ({
        name,
        data_type,
        input_type,
        required,
        multivalued,
        ...(field.default_value === undefined ? {} : { default_value: field.default_value }),
        options: field.options.map(({ value }) => ({ value })),
        display_order: field.display_order,
      }),
    ),
    ...(template.sla_id === undefined ? {} : { sla: names.get(template.sla_id) ?? "" }),
    sla_rules: template.sla_rules.map(({ type, condition, sla_id }) => ({
      type,
      condition,
      sla: names.get(sla_id) ?? "",
    })),
    access_tags: template.access_tags.map(({ key }) => key),
    workflows: template.workflows,
  });

/** A template from a file with all defaults, in stored order. */
export function completeTemplate(template: FileTemplate): FileTemplate {
  const { name, sla, fields = [], sla_rules = [], access_tags = [], workflows = [] } = template;
  return {
    name,
    ...described(template),
    fields: fields
      .map((field, index) => ({
        name: field.name,
        data_type: field.data_type,
        input_type: field.input_type,
        required: field.required ?? false,
        multivalued: field.multivalued ?? false,
        ...(field.default_value === undefined
          ? {}
          : { default_value: fieldValue(field, field.default_value) ?? field.default_value }),
        options: (field.options ?? []).map(({ value }) => ({
          value: fieldValue(field, value) ?? value,
        })),
        display_order: field.display_order ?? index,
      }))
      .toSorted((left, right) => left.display_order - right.display_order),
    ...(sla === undefined ? {} : { sla }),
    sla_rules,
    access_tags,
    workflows: workflows
      .map(({ id, display_order }) => ({ id, display_order }))
      .toSorted((left, right) => left.display_order - right.display_order),
  };
}

/** A stored SLA in file form. */
export const fileSla = (sla: Sla, names: Names): FileSla => ({
  name: sla.name,
  ...described(sla),
  goals: fileGoals(sla.goals, (steps) =>
    steps.map((step) => ({
      notification_group: names.get(step.notification_group_id) ?? "",
      escalate_after_seconds: step.escalate_after_seconds,
    })),
  ),
});

/** An SLA of a file with all defaults. */
export const completeSla = ({ goals, ...sla }: FileSla): FileSla => ({
  name: sla.name,
  ...described(sla),
  goals: fileGoals(goals, (steps) =>
    steps
      .map(({ notification_group, escalate_after_seconds = 0 }) => ({
        notification_group,
        escalate_after_seconds,
      }))
      .toSorted((left, right) => left.escalate_after_seconds - right.escalate_after_seconds),
  ),
});

const fileGoals = <Step>(
  goals: readonly Goal<Step>[],
  fileSteps: (steps: readonly Step[]) => readonly FileStep[],
): FileSla["goals"] =>
  goals.map(({ type, duration_seconds, escalation_policy }) => ({
    type,
    duration_seconds,
    ...(escalation_policy === undefined
      ? {}
      : { escalation_policy: { steps: fileSteps(escalation_policy.steps) } }),
  }));

/** A stored group in file form. */
export const fileGroup = (group: NotificationGroup): FileGroup => ({
  name: group.name,
  ...described(group),
  channels: group.channels.map(({ type, config_id, config_name, params }) => ({
    type,
    ...(config_id === undefined ? {} : { config_id }),
    ...(config_name === "" ? {} : { config_name }),
    params: JSON.parse(params) as ChannelParams,
  })),
});

/** Whether two records of files are equal; references by name or key ignore case. */
export const isSame = (left: object, right: object): boolean => keyOf(left) === keyOf(right);

const references: readonly string[] = ["sla", "notification_group"];

/** Canonical text: equal values give equal texts, regardless of member order. */
const keyOf = (value: unknown): string =>
  JSON.stringify(value, (name, member: unknown) => {
    if (typeof member === "string" && references.includes(name)) return foldCase(member);
    if (name === "access_tags" && Array.isArray(member)) {
      return member.map((key) => foldCase(String(key)));
    }
    if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(
      Object.entries(member).toSorted(([left], [right]) => (left < right ? -1 : 1)),
    );
  });
