import type { OutgoingConfig } from "@security-platform/server/internal";
import type { ServeOptions } from "./serve-options.ts";

export const readOutgoing = ({
  allowNetwork = [],
  pagerdutyUrl,
}: Pick<ServeOptions, "allowNetwork" | "pagerdutyUrl">): OutgoingConfig => ({
  allowedNetworks: allowNetwork,
  pagerDutyUrl: pagerdutyUrl,
});
