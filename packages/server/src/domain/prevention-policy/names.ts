import type { Problem } from "../../foundation/errors.ts";
import { duplicateProblems, type Placed } from "../../records/duplicates.ts";
import type { WritableRecords } from "../../store/index.ts";
import { nameKey, type StoredPolicy } from "./policies.ts";

/** Problems of duplicate names within the platform. */
export const nameProblems = (
  records: WritableRecords<StoredPolicy>,
  policies: readonly Placed<StoredPolicy>[],
): Promise<readonly Problem[]> =>
  duplicateProblems<StoredPolicy>(policies, {
    keyOf: nameKey,
    holders: (keys) => records.findDuplicates(keys),
    problem: ({ at, record: { platform_name, name } }, rival) => {
      const named = `${platform_name} already has a policy called ${name}`;
      return "id" in rival
        ? {
            at: `${at}.name`,
            id: rival.id,
            message: `${named}, ${rival.id}; choose another name, or update that one`,
          }
        : { at: `${at}.name`, message: `${named}, ${rival.at}; choose another name` };
    },
  });
