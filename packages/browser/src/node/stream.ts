import { Readable } from "readable-stream";

export {
  addAbortSignal,
  Duplex,
  finished,
  PassThrough,
  pipeline,
  Readable,
  Stream,
  Transform,
  Writable,
} from "readable-stream";

async function* partsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isDone = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!isDone) await reader.cancel();
  }
}

/** The library has no streams of the web. */
Object.assign(Readable, {
  fromWeb: (stream: ReadableStream<Uint8Array>) =>
    Readable.from(partsOf(stream), { objectMode: false }),
});
