import { lookup, Resolver } from "node:dns/promises";

/** The IP addresses of a host name. Throws an error with a `code` if there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

const waitMilliseconds = 2_000;

/**
 * Asks the name servers. Unlike the operating system's resolver, this occupies no thread while a
 * name server is silent. A name that they do not know may be one of the machine's own.
 */
export const resolveHost: Resolve = async (hostname) => {
  const resolver = new Resolver({ timeout: waitMilliseconds, tries: 2 });
  const answers = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ]);
  const addresses = answers.flatMap((answer) =>
    answer.status === "fulfilled" ? answer.value : [],
  );
  if (addresses.length > 0) return addresses;
  const [failure] = answers.flatMap((answer) =>
    answer.status === "rejected" ? [answer.reason as NodeJS.ErrnoException] : [],
  );
  if (!["ENOTFOUND", "ENODATA", "ECONNREFUSED"].includes(failure?.code ?? "")) throw failure;
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
};
