import { joinBlocks } from "./markdown.ts";

/** The page of the GraphQL schema that post_graphql answers by. */
export const graphqlPage = (schema: string): string =>
  joinBlocks([
    "# The GraphQL schema of identities",
    "What [post_graphql](/reference/identity-protection/post_graphql) can be asked. The server gives " +
      "the same to an introspection query. How to ask: [Identities](/guides/identity-protection).",
    `\`\`\`graphql\n${schema.trimEnd()}\n\`\`\``,
  ]);
