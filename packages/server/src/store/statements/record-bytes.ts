import { sql, type Sql } from "../dialects/sql.ts";
import type { Layout } from "../rows/columns.ts";

/**
 * The bytes of a version `t`: its text, and the files that belong to it. Neither engine reads the text to know its
 * length.
 */
export const bytesOf = ({ resource: { blobBytes }, fields }: Layout): Sql => {
  const files = blobBytes === undefined ? undefined : fields.get(blobBytes)?.column;
  const text = sql`octet_length(${sql.id("t", "doc")})`;
  return files === undefined ? text : sql`${text} + coalesce(${sql.id("t", files)}, 0)`;
};
