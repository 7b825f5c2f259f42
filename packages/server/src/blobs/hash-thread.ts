import { createHash, type Hash } from "node:crypto";
import { answerCalls } from "../threads/answer-calls.ts";

/** The next bytes of a file, after `before` earlier bytes, or the end of the file. */
export type HashRequest =
  | { readonly file: number; readonly before: number; readonly bytes: Uint8Array }
  | { readonly file: number; readonly before: number; readonly end: true };

const digests = new Map<number, Hash>();

/** Returns the hexadecimal SHA-256 at the end of a file. */
answerCalls((request: HashRequest): string | null => {
  const { file, before } = request;
  const digest = before === 0 ? createHash("sha256") : digests.get(file);
  if (digest === undefined) throw new Error("the beginning of the file went to another thread");
  if ("bytes" in request) {
    digests.set(file, digest.update(request.bytes));
    return null;
  }
  digests.delete(file);
  return digest.digest("hex");
});
