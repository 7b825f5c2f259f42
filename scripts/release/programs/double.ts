/** Uses each part of the test double, with the types that users get. */
import { ServerError } from "@security-platform/client";
import {
  startPlatform,
  type BuiltRecord,
  type FaultRule,
  type ImportRecords,
  type RecordedRequest,
} from "@security-platform/testing";

const platform = await startPlatform({ now: "2026-03-01T12:00:00Z", limits: { bodyValues: 100 } });
const [first, second]: readonly BuiltRecord<"indicators">[] = await platform.seed.indicators([
  { value: "bad.example" },
  { value: "192.0.2.1", severity: "low" },
]);
const [host] = await platform.seed.hosts([{ hostname: "build-1" }]);
const role: ImportRecords["roles"] = {
  display_name: "Reader",
  description: "Reads indicators",
  permissions: [],
};
// @ts-expect-error A host has no such member.
const wrong = () => platform.seed.hosts([{ hostnam: "build-1" }]);
// @ts-expect-error An execution belongs to a host.
const incomplete = () => platform.seed.executions([{}]);
void [wrong, incomplete, role, host.device_id, second?.type];

const fault: FaultRule = { operation_id: "severity.query.v1", status: 503 };
platform.faults.add(fault);
const failure: unknown = await platform.client.ioc
  .listSeverities({}, { retries: 0 })
  .catch((error: unknown) => error);
// The classes of errors are those of the client that this program imports.
const failed = failure instanceof ServerError ? failure.status : "no error";
await platform.client.ioc.listSeverities();
const requests: readonly RecordedRequest[] = platform.requests.list();
const last = requests.at(-1);
console.log(`${first?.value} ${failed} ${last?.status} ${requests.length}`);
await platform.stop();
