import { GraphQLError, type ASTNode } from "graphql";

/** An error that the query is to blame for; any other that a resolver throws is the server's. */
export class QueryRefusal extends GraphQLError {
  constructor(message: string, nodes?: ASTNode) {
    super(message, nodes === undefined ? {} : { nodes });
  }
}
