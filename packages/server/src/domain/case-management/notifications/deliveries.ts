import type { Fields } from "@security-platform/fql";
import type { Resource } from "../../../store/index.ts";
import type { ChannelParams, ChannelType } from "./channels.ts";
import type { EscalationEvent } from "./events.ts";

/** `failed`: there are no further attempts. */
export type DeliveryState = "waiting" | "delivered" | "failed";

export const deliveryStates = [
  "waiting",
  "delivered",
  "failed",
] as const satisfies readonly DeliveryState[];

/** One attempt to deliver a message. */
export interface DeliveryAttempt {
  /** RFC 3339. */
  readonly at: string;
  /** `delivered`, or the reason for the failure. */
  readonly outcome: string;
  /** HTTP status of the response, if there was one. */
  readonly status?: number;
}

/** A message to one recipient of a channel. */
export interface Delivery {
  /** The same in every attempt, so that a receiver can detect duplicates. */
  readonly id: string;
  readonly cid: string;
  readonly case_id: string;
  readonly reference_id: string;
  readonly group_id: string;
  readonly group_name: string;
  /** Null: the group no longer exists. */
  readonly channel: ChannelType | null;
  /** A mail address, or scheme and host of a URL. */
  readonly target: string;
  readonly state: DeliveryState;
  readonly attempts: readonly DeliveryAttempt[];
  /** RFC 3339. */
  readonly created_at: string;
  readonly delivered_at?: string;
  readonly event: EscalationEvent;
  /** Complete settings of the channel, with secrets; removed once the message is delivered. */
  readonly settings?: ChannelParams;
}

const fields: Fields = {
  state: { type: "string", values: deliveryStates },
  case_id: { type: "string" },
  created_at: { type: "timestamp", sortable: true },
};

/** Messages about escalations, with their attempts and outcomes. */
export const deliveries: Resource<Delivery> = {
  name: "deliveries",
  collection: "case_management",
  fields,
  id: "id",
  hidden: ["settings"],
  sealed: ["settings"],
  indexes: ["case_id", "created_at"],
};

/** Kinds of the jobs that deliver messages; the payload has the delivery's `id`. */
export const postKind = "notifications.post";
export const mailKind = "notifications.mail";

export const jobKindOf = (channel: ChannelType): string =>
  channel === "email" ? mailKind : postKind;
