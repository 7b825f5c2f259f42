import type { components } from "@security-platform/spec";
import { BlobTooLargeError } from "../../../blobs/errors.ts";
import type { Call, Caller } from "../../../calls/call.ts";
import type { Context } from "../../../calls/context.ts";
import { errors } from "../../../foundation/errors.ts";
import { HostFileError, type HostFiles, type HostPath } from "../../../host-files/host-files.ts";
import { readHostPath } from "../../../host-files/host-path.ts";
import { hosts } from "../../../inventory/hosts.ts";
import type { WritingCall } from "../../../records/write.ts";
import type { RecordText } from "../../../store/index.ts";
import { addFile, requireOpenCase } from "./add-file.ts";
import { contentMembers } from "./content-members.ts";
import { displaySize } from "./display-size.ts";
import { hostFileName } from "./file-name.ts";
import { retrieveKind } from "./retrieve-files.ts";

type Schemas = components["schemas"];
type HostCall = WritingCall & { readonly context: Context };
type AskingCall = Pick<Call, "context" | "now"> & { readonly caller: Caller };

/** Maximum time to wait for a host. */
const answerMilliseconds = 10_000;
const retrySeconds = 60;

/** The file of a host that a request names; 400 for an invalid path, 404 for an unknown host. */
async function namedFile(
  call: AskingCall,
  { aid, file_path }: Schemas["RtrFileMetadataRequest"],
): Promise<HostPath> {
  const path = readHostPath(file_path);
  if ("problem" in path) {
    throw errors.invalidRequest([{ at: "body.file_path", message: path.problem }]);
  }
  await requireHosts(call, [aid]);
  return path;
}

async function requireHosts(call: AskingCall, aids: readonly string[]): Promise<void> {
  const knownAids = await knownHosts(call, aids);
  const missing = aids.filter((aid) => !knownAids.includes(aid));
  if (missing.length > 0) throw errors.recordsNotFound("host", missing);
}

/** The given hosts that belong to the tenant. */
async function knownHosts(
  { context, caller, now }: AskingCall,
  aids: readonly string[],
): Promise<readonly string[]> {
  const hostTexts = await context.store.records(hosts, { cid: caller.cid }).get(aids, now);
  return aids.filter((aid) => hostTexts.has(aid));
}

const connected = ({ hostFiles }: Pick<Context, "hostFiles">): HostFiles => {
  if (hostFiles !== null) return hostFiles;
  throw errors.unavailable("this server has no connection to hosts", retrySeconds);
};

/** Name and size of a file on a host. 503 for a host that does not respond in time. */
export async function hostFileMetadata(
  call: HostCall,
  body: Schemas["RtrFileMetadataRequest"],
): Promise<Schemas["RtrFileMetadata"]> {
  const path = await namedFile(call, body);
  const hostFiles = connected(call.context);
  const { name, bytes } = await inTime(body.aid, (signal) =>
    hostFiles.find(body.aid, path, signal),
  ).catch((error: unknown) => {
    throw refusal(error, body.file_path);
  });
  return { file_name: name, file_size: displaySize(bytes) };
}

async function inTime<Result>(
  aid: string,
  ask: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const signal = AbortSignal.timeout(answerMilliseconds);
  const timeout = new Promise<never>((_resolve, reject) => {
    const message = `host ${aid} did not respond in time`;
    signal.addEventListener("abort", () => reject(new HostFileError("away", message)));
  });
  return Promise.race([ask(signal), timeout]);
}

function refusal(error: unknown, id: string): unknown {
  if (!(error instanceof HostFileError)) return error;
  return error.reason === "missing"
    ? errors.recordsNotFound("file", [id])
    : errors.unavailable(`${error.message}; retry later`, retrySeconds);
}

/** Adds a file to a case whose content a job fetches from the host. */
export async function requestHostFile(
  call: HostCall,
  { case_id, aid, file_path, description }: Schemas["RtrFileRequest"],
): Promise<RecordText> {
  await requireOpenCase(call, case_id);
  const path = await namedFile(call, { aid, file_path });
  const retrieval = { aid, file_path };
  return addFile(
    call,
    case_id,
    {
      name: nameOf(path),
      description: description ?? "",
      source: "rtr",
      status: "requested",
      retrieval,
    },
    async ({ transaction, now }, { id }) =>
      transaction.enqueue({ kind: retrieveKind, payload: { id } }, now),
  );
}

const nameOf = ({ segments }: HostPath): string => hostFileName(segments.at(-1) ?? segments[0]);

/** Adds a file to a case that a response session has fetched. */
export async function addFetchedFile(
  call: HostCall,
  { case_id, session_id, sha256, aid, description }: Schemas["RtrRecentFileRequest"],
): Promise<RecordText> {
  await requireOpenCase(call, case_id);
  if (aid !== undefined) await requireHosts(call, [aid]);
  const { context } = call;
  const fetched = { session: session_id, sha256 };
  const none = errors.recordsNotFound("fetched file", [sha256]);
  if (context.hostFiles === null) throw none;
  const from = aid === undefined ? await context.hostFiles.hostsOf(fetched) : [aid];
  const [host] = await knownHosts(call, from);
  if (host === undefined) throw none;
  const opened = await context.hostFiles.openFetched(host, fetched).catch((error: unknown) => {
    throw error instanceof HostFileError ? none : error;
  });
  const { uploadBytes } = context.config.limits;
  const blob = await context.blobs
    .put(opened.content, uploadBytes)
    .catch((error: unknown) => {
      throw error instanceof BlobTooLargeError ? tooLarge(sha256, uploadBytes) : error;
    })
    .finally(() => opened.content.destroy());
  // The content identifies the file, not its path.
  if (blob.sha256 !== sha256) throw none;
  return addFile(call, case_id, {
    name: hostFileName(opened.name),
    description: description ?? "",
    source: "rtr_recent",
    status: "available",
    ...(await contentMembers(context.blobs, blob)),
  });
}

function tooLarge(sha256: string, limit: number): unknown {
  const message = `file ${sha256} is larger than the limit of ${limit} bytes`;
  return errors.conflict([{ at: "body.sha256", message }]);
}
