import {
  imagePolicies,
  type ImagePolicy,
} from "../domain/container/image-policies/image-policies.ts";
import { policyProblems } from "../domain/container/image-policies/conditions.ts";
import { newUuid } from "../foundation/identifiers.ts";
import type { Importer } from "./kind.ts";

type Data = NonNullable<ImagePolicy["policy_data"]>;
type Group = Data["groups"][number];
type GroupLine = Partial<Group> & Pick<Group, "name">;
type Line = Partial<Omit<ImagePolicy, "policy_data">> &
  Pick<ImagePolicy, "uuid" | "name" | "precedence"> & {
    readonly policy_data?: Partial<Omit<Data, "groups">> & {
      readonly groups?: readonly GroupLine[];
    };
  };

/** Imports policies for images, one per line. */
export const imagePolicyImporter: Importer<Line, ImagePolicy> = {
  resource: imagePolicies,
  read: (line, { now }) => {
    const at = now.toISOString();
    const { policy_data: { groups = [], rules = [] } = {}, ...members } = line;
    const problems = policyProblems({ groups, rules });
    if (problems.length > 0) {
      return { problems: problems.map((each) => ({ ...each, at: `policy_data.${each.at}` })) };
    }
    return {
      record: {
        description: "",
        is_default: false,
        is_enabled: true,
        created_at: at,
        updated_at: at,
        ...members,
        policy_data: {
          groups: groups.map((group) => ({
            uuid: newUuid(),
            description: "",
            created_at: at,
            updated_at: at,
            ...group,
            policy_uuid: line.uuid,
          })),
          rules,
        },
      },
    };
  },
  renew: (stored, { line, record }) => ({
    ...record,
    created_at: line.created_at ?? stored.created_at,
  }),
};
