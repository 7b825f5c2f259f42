import { defaultLimits, type ServerLimits } from "@security-platform/server/internal";
import { integer, longestTimer } from "./make-setting.ts";
import type { IntegerSetting } from "./setting-types.ts";

const limit = (
  limited: keyof ServerLimits,
  name: string,
  value: string,
  about: string,
  minimum: number,
  maximum = longestTimer,
): IntegerSetting =>
  integer(name, value, about, {
    minimum,
    maximum,
    default: defaultLimits[limited],
    group: "Limits:",
  });

const anySize = Number.MAX_SAFE_INTEGER;

/** A limit without a setting does not compile. */
export const limitSettings: Readonly<Record<keyof ServerLimits, IntegerSetting>> = {
  requestsPerMinute: limit(
    "requestsPerMinute",
    "rate-limit",
    "count",
    "requests per minute and tenant; 0: no limit",
    0,
  ),
  tokenRequestsPerMinute: limit(
    "tokenRequestsPerMinute",
    "token-rate-limit",
    "count",
    "token requests per minute and client address; 0: no limit",
    0,
  ),
  failedAuthenticationsPerMinute: limit(
    "failedAuthenticationsPerMinute",
    "failure-limit",
    "count",
    "failed authentications per minute and client address; 0: no limit",
    0,
  ),
  bodyBytes: limit("bodyBytes", "body-limit", "bytes", "maximum size of a request body", 1_024),
  bodyMemoryBytes: limit(
    "bodyMemoryBytes",
    "body-memory",
    "bytes",
    "memory for all request bodies that are being received; 0: an eighth of the process's memory limit",
    0,
  ),
  responseMemoryBytes: limit(
    "responseMemoryBytes",
    "response-memory",
    "bytes",
    "memory for all responses that callers have not taken; 0: an eighth of the process's memory limit",
    0,
  ),
  requestsInWork: limit(
    "requestsInWork",
    "requests-in-work",
    "count",
    "reads in work at a time, and as many changes; 0: 16 for each processor",
    0,
  ),
  requestsWaiting: limit(
    "requestsWaiting",
    "waiting-limit",
    "count",
    "maximum number of requests of a tenant that wait; others get a 503",
    1,
  ),
  waitMilliseconds: limit(
    "waitMilliseconds",
    "wait-timeout",
    "milliseconds",
    "maximum time that a request waits for its turn, before it gets a 503",
    1,
  ),
  bodyValues: limit(
    "bodyValues",
    "value-limit",
    "count",
    "maximum number of values in a JSON body",
    1_000,
  ),
  uploadBytes: limit(
    "uploadBytes",
    "upload-limit",
    "bytes",
    "maximum size of an uploaded file",
    1_024,
  ),
  storageBytes: limit(
    "storageBytes",
    "storage-limit",
    "bytes",
    "maximum size of the database and the files of all tenants; at the limit nothing can be added; 0: no limit",
    0,
    anySize,
  ),
  tenantStorageBytes: limit(
    "tenantStorageBytes",
    "tenant-storage-limit",
    "bytes",
    "maximum size of a tenant's records and files; 0: no limit",
    0,
    anySize,
  ),
  requestMilliseconds: limit(
    "requestMilliseconds",
    "request-timeout",
    "milliseconds",
    "maximum time for receiving a request",
    100,
  ),
  writeMilliseconds: limit(
    "writeMilliseconds",
    "write-timeout",
    "milliseconds",
    "maximum time in which a caller takes no byte of a response",
    100,
  ),
  idleMilliseconds: limit(
    "idleMilliseconds",
    "idle-timeout",
    "milliseconds",
    "maximum idle time of a connection",
    1,
  ),
  connections: limit("connections", "max-connections", "count", "maximum number of connections", 1),
  overloadMilliseconds: limit(
    "overloadMilliseconds",
    "overload-delay",
    "milliseconds",
    "event loop delay above which requests get a 503; 0: never",
    0,
  ),
  tokenSeconds: limit(
    "tokenSeconds",
    "token-lifetime",
    "seconds",
    "lifetime of an access token",
    1,
  ),
};
