import { offering, type Offer } from "./offer.ts";

/**
 * The parser, with the values that a list command shows in these members: `"jobs list"`, `"id"`. Names that a shell
 * would split or expand are left out.
 */
export const offeringListed = <Reads extends Parameters<typeof offering>[0]>(
  parser: Reads,
  list: string,
  ...members: readonly string[]
): Reads => offering(parser, listedValues(list, members));

const listedValues =
  (list: string, members: readonly string[]): Offer =>
  async ({ listed }) => {
    const records = await listed(list.split(" "));
    const values = members.flatMap((member) => records.map((record) => String(record[member])));
    return values.filter((value) => /^[\w.@-]+$/.test(value));
  };
