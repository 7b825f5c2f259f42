import { joinBlocks } from "./markdown.ts";

/** The page of the GraphQL schema of post_graphql. */
export const graphqlPage = (schema: string): string =>
  joinBlocks([
    "# GraphQL schema of identities",
    "The schema of [post_graphql](/reference/identity-protection/post_graphql). An introspection query returns " +
      "the same. For usage see [Identities](/guides/identity-protection).",
    `\`\`\`graphql\n${schema.trimEnd()}\n\`\`\``,
  ]);
