import { FqlSyntaxError, type Predicate } from "@security-platform/fql";
import { actOnHostGroups } from "../../domain/companion/act-on-host-groups.ts";
import { errors } from "../../foundation/errors.ts";
import type { Handler } from "../../calls/handler.ts";
import { hostFields } from "../../inventory/hosts.ts";
import { filterReader } from "../../records/filters.ts";
import { write } from "../../records/write.ts";

/** Returns all requested groups, changed or not. */
export const performGroupAction: Handler<"performGroupAction"> = async (call) => {
  const { action_name, disable_hostname_check } = call.query;
  const action = {
    name: action_name,
    hosts: readHosts(call.body.action_parameters[0]?.value ?? "", call.now),
    skipsNameless: disable_hostname_check,
  };
  const ids = [...new Set(call.body.ids)];
  const records = await write(call, (writing) => actOnHostGroups(writing, ids, action));
  return { kind: "records", records };
};

function readHosts(text: string, now: Date): Predicate {
  try {
    return filterReader(hostFields).predicate(text, now);
  } catch (error) {
    if (!(error instanceof FqlSyntaxError)) throw error;
    throw errors.invalidRequest([
      { at: "body.action_parameters[0].value", message: error.message },
    ]);
  }
}
