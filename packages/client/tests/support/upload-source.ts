/** A case that no server has. */
export const caseId = "3f2b8a04-6c1d-4e7f-9a52-0d8b7c6e5f41";

/** A source of many chunks that counts how often it is opened, read and closed. */
export function counted(chunks: number, bytes = 64 * 1024) {
  const state = { opened: 0, read: 0, closed: 0 };
  async function* open(): AsyncGenerator<Uint8Array, void, undefined> {
    state.opened += 1;
    try {
      for (let chunk = 0; chunk < chunks; chunk += 1) {
        state.read += 1;
        yield new Uint8Array(bytes);
      }
    } finally {
      state.closed += 1;
    }
  }
  return { state, open, size: chunks * bytes };
}
