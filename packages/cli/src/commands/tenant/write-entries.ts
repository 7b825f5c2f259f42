import type { Api, ApiRecord } from "./api.ts";
import type { MemberRule } from "./kind.ts";

export const listOf = (value: unknown): readonly unknown[] => (value ?? []) as readonly unknown[];

/** Sets a list whose entries have operations of their own. */
export const writeEntries =
  (
    act: (
      api: Api,
      record: ApiRecord,
      direction: "add" | "remove",
      entries: readonly unknown[],
    ) => Promise<unknown>,
  ): NonNullable<MemberRule["write"]> =>
  async ({ record, before, after }, api) => {
    const [old, wanted] = [listOf(before), listOf(after)];
    const added = wanted.filter((each) => !old.includes(each));
    const removed = old.filter((each) => !wanted.includes(each));
    if (added.length > 0) await act(api, record, "add", added);
    if (removed.length > 0) await act(api, record, "remove", removed);
  };
