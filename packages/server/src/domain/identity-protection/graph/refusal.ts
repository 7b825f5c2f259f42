import { GraphQLError, type ASTNode } from "graphql";

/** An error caused by the query. Any other error of a resolver is a server error. */
export class QueryRefusal extends GraphQLError {
  constructor(message: string, nodes?: ASTNode) {
    super(message, nodes === undefined ? {} : { nodes });
  }
}
