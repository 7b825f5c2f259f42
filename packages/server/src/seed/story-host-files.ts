import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import {
  HostFileError,
  type FetchedFile,
  type HostFile,
  type HostFiles,
  type HostPath,
  type OpenHostFile,
} from "../host-files/host-files.ts";
import type { Store } from "../store/index.ts";
import { knownClient, knownHosts, knownWorkstation } from "./known.ts";

const name = "invoice-viewer.exe";
const path = ["C", "Users", "b.olsen", "Downloads", name].join("/").toLowerCase();
const session = "7e4b2d90-5a1c-4f38-9c6e-1b0a8d7f2e35";

/** A text instead of the program that the story deals with. */
const content = Buffer.from(
  "This file stands for the loader in the story of the demo. It is a text and cannot be run.\n".repeat(
    280,
  ),
);
export const loaderHash = createHash("sha256").update(content).digest("hex");

/**
 * The connection to the hosts of a generated world. Null if the store has none, or not the world `small`, whose hosts
 * the examples of the document show.
 */
export async function storyHostFiles({ directory }: Store): Promise<HostFiles | null> {
  const isThere = (await directory.client(knownClient.id)) !== null;
  return isThere ? documentedHostFiles() : null;
}

export const documentedHostFiles = (): HostFiles =>
  new StoryHostFiles(knownHosts.get(knownWorkstation)?.id ?? "");

/** The workstation of the story has one file, which a session has fetched. No other host exists. */
export class StoryHostFiles implements HostFiles {
  readonly #workstation: string;

  constructor(workstation: string) {
    this.#workstation = workstation;
  }

  async find(aid: string, wanted: HostPath): Promise<HostFile> {
    if (aid !== this.#workstation) throw new HostFileError("away", `host ${aid} is not connected`);
    if (wanted.segments.join("/").toLowerCase() !== path) {
      throw new HostFileError("missing", `host ${aid} has no file ${wanted.text}`);
    }
    return { name, bytes: content.length };
  }

  async open(aid: string, wanted: HostPath): Promise<OpenHostFile> {
    return { ...(await this.find(aid, wanted)), content: Readable.from([content]) };
  }

  async hostsOf(fetched: FetchedFile): Promise<readonly string[]> {
    return fetched.session === session && fetched.sha256 === loaderHash ? [this.#workstation] : [];
  }

  async openFetched(aid: string, fetched: FetchedFile): Promise<OpenHostFile> {
    if (aid !== this.#workstation || (await this.hostsOf(fetched)).length === 0) {
      throw new HostFileError("missing", `session ${fetched.session} has fetched no such file`);
    }
    return { name, bytes: content.length, content: Readable.from([content]) };
  }
}
