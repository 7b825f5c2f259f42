/** The thread could not start, mostly for want of descriptors or memory. A later call may succeed. */
export class ThreadStartError extends Error {
  override readonly name = "ThreadStartError";
}
