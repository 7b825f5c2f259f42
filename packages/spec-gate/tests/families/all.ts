import { documentPairs } from "./documents.ts";
import { parameterPairs } from "./parameters.ts";
import { schemaPairs } from "./schemas.ts";
import { siblingsSchemas } from "./siblings-schemas.ts";
import { siblingsParameters } from "./siblings-parameters.ts";
import { siblingsServers } from "./siblings-servers.ts";
import { siblingsNames } from "./siblings-names.ts";
import { siblingsBodies } from "./siblings-bodies.ts";
import { newMessagePairs } from "./new-messages.ts";
import { newPartPairs } from "./new-parts.ts";
import { versionPairs } from "./versions.ts";
import { siblingsMoreMessages } from "./siblings-more-messages.ts";
import { siblingsMoreSchemas } from "./siblings-more-schemas.ts";
import { furtherMessages } from "./further-messages.ts";
import { furtherOperations } from "./further-operations.ts";
import { furtherMessagePairs } from "./further-message-pairs.ts";
import { furtherPairs } from "./further-pairs.ts";
import { secondListMessages } from "./second-list-messages.ts";
import { secondList } from "./second-list.ts";
import { furtherSchemas } from "./further-schemas.ts";
import { equalSets } from "./equal-sets.ts";
import type { Pair } from "./pair.ts";

/** The pairs of all families. */
export const pairs: readonly Pair[] = [
  ...new Set([
    ...siblingsMoreMessages,
    ...siblingsMoreSchemas,
    ...documentPairs,
    ...parameterPairs,
    ...schemaPairs,
    ...siblingsSchemas,
    ...siblingsParameters,
    ...siblingsServers,
    ...siblingsNames,
    ...siblingsBodies,
    ...newMessagePairs,
    ...newPartPairs,
    ...versionPairs,
    ...furtherMessages,
    ...furtherPairs,
    ...secondList,
    ...secondListMessages,
    ...furtherMessagePairs,
    ...furtherOperations,
    ...furtherSchemas,
    ...equalSets,
  ]),
];
