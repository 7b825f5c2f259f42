/** Bytes, and at their end whether they are complete; those of an early end are not. */
export type ByteGenerator = AsyncGenerator<Uint8Array, boolean, undefined>;

/**
 * A stream that asks for the next chunk only when it is read, so that nothing piles up. `cancelled` is called when it
 * is cancelled, perhaps before `chunks` began.
 */
export function byteStream(
  chunks: ByteGenerator,
  cancelled?: () => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await chunks.next();
        if (done !== true) controller.enqueue(value);
        else if (value) controller.close();
        else controller.error(new Error("the transfer was ended"));
      },
      cancel: async () => {
        await chunks.return(false);
        cancelled?.();
      },
    },
    { highWaterMark: 0 },
  );
}
