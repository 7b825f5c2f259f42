import { finished as whenFinished } from "./stream.ts";

type Finishing = Parameters<typeof whenFinished>[0];

export const finished = (stream: Finishing): Promise<void> =>
  new Promise((resolve, reject) => {
    whenFinished(stream, (error) => {
      if (error === null || error === undefined) resolve();
      else reject(error);
    });
  });
