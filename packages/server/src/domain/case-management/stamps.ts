import type { components } from "@security-platform/spec";
import { identifyCaller } from "./identity.ts";

type Schemas = components["schemas"];

/** Authors and times of the creation and last change of a configuration record. */
export interface Stamps {
  readonly created_by: Schemas["CaseConfigurationActor"];
  readonly created_by_name: string;
  readonly created_timestamp: string;
  readonly updated_by: Schemas["CaseConfigurationActor"];
  readonly updated_by_name: string;
  readonly updated_timestamp: string;
}

/** The author and time of a change to the configuration. */
export interface Stamp {
  readonly by: Schemas["CaseConfigurationActor"];
  readonly name: string;
  /** RFC 3339. */
  readonly at: string;
}

/** The stamp of a call: the user that the client acts as, otherwise the client. */
export async function stampOf(call: Parameters<typeof identifyCaller>[0]): Promise<Stamp> {
  const { user, actor, key } = await identifyCaller(call);
  const { cid } = call.caller;
  return {
    by:
      actor.type === "user"
        ? { cid, user_uuid: user.uuid, username: key }
        : { cid, client_id: user.uuid },
    name: user.full_name,
    at: call.now.toISOString(),
  };
}

export const created = (stamp: Stamp): Stamps => ({
  created_by: stamp.by,
  created_by_name: stamp.name,
  created_timestamp: stamp.at,
  ...updated(stamp),
});

export const updated = ({ by, name, at }: Stamp) => ({
  updated_by: by,
  updated_by_name: name,
  updated_timestamp: at,
});

/** The stamp of a record's last change. */
export const lastStamp = ({ updated_by, updated_by_name, updated_timestamp }: Stamps): Stamp => ({
  by: updated_by,
  name: updated_by_name,
  at: updated_timestamp,
});

/** The stamps of `record`, in the order of the document. */
export const stampsOf = ({
  created_by,
  created_by_name,
  created_timestamp,
  updated_by,
  updated_by_name,
  updated_timestamp,
}: Stamps): Stamps => ({
  created_by,
  created_by_name,
  created_timestamp,
  updated_by,
  updated_by_name,
  updated_timestamp,
});
