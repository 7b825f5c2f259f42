import type { Predicate } from "@security-platform/fql";
import type { Answer } from "../../calls/answer.ts";
import type { Call, Caller } from "../../calls/call.ts";
import type {
  Group,
  GroupCall,
  GroupKind,
  GroupMembers,
  GroupTexts,
} from "../../domain/companion/group-kind.ts";
import {
  getGroups,
  listGroups,
  shownGroup,
  shownMembers,
} from "../../domain/companion/read-groups.ts";
import {
  addMembers,
  createGroups,
  deleteGroups,
  removeMembers,
  updateGroups,
} from "../../domain/companion/write-groups.ts";
import type { ListParameters } from "../../records/list.ts";
import type { RecordText } from "../../store/index.ts";

type ReadingCall = Pick<Call, "context" | "now"> & { readonly caller: Caller };

type WritingCall<Item> = GroupCall & { readonly body: { readonly resources: readonly Item[] } };

type Ids = { readonly user_group_id: string } | { readonly cid_group_id: string };
type Members = { readonly user_uuids: readonly string[] } | { readonly cids: readonly string[] };

/** The operations of one kind of group, with the names of members and parameters left to the caller. */
export function groupHandlers<Record extends Group>(kind: GroupKind<Record>) {
  const idOf = (item: Ids): string => String(Reflect.get(item, kind.wire.id));
  const membersOf = (item: Ids & Members): GroupMembers => ({
    id: idOf(item),
    members: Reflect.get(item, kind.wire.members) as readonly string[],
  });
  const answer = (
    groups: readonly Record[],
    show: (kind: GroupKind<Record>, group: Record) => RecordText,
  ): Answer => ({ kind: "records", records: groups.map((group) => show(kind, group)) });
  return {
    get: (call: ReadingCall, ids: readonly string[]) => getGroups(call, kind, ids, shownGroup),
    members: (call: ReadingCall, ids: readonly string[]) =>
      getGroups(call, kind, ids, shownMembers),
    list: (call: ReadingCall & { readonly query: ListParameters }, condition: Predicate) =>
      listGroups(call, kind, condition),
    create: async (call: WritingCall<GroupTexts & { readonly name: string }>) =>
      answer(await createGroups(call, kind, call.body.resources), shownGroup),
    update: async (call: WritingCall<GroupTexts & Ids>) => {
      const changes = call.body.resources.map((item) => ({ ...item, id: idOf(item) }));
      return answer(await updateGroups(call, kind, changes), shownGroup);
    },
    delete: async (call: GroupCall, ids: readonly string[]): Promise<Answer> => ({
      kind: "ids",
      ids: await deleteGroups(call, kind, ids),
    }),
    add: async (call: WritingCall<Ids & Members>) =>
      answer(await addMembers(call, kind, call.body.resources.map(membersOf)), shownMembers),
    remove: async (call: WritingCall<Ids & Members>) =>
      answer(await removeMembers(call, kind, call.body.resources.map(membersOf)), shownMembers),
  };
}
