import type { CollectionRecipe } from "./recipe.ts";

/** The recipes of the token operations, which get the credentials of the run by HTTP Basic. */
export const oauth2: CollectionRecipe = {
  resources: {},
  operations: {
    oauth2AccessToken: {
      resource: null,
      effect: "none",
      request: () => ({ body: { grant_type: "client_credentials" } }),
      answers: { 403: () => ({ body: { member_cid: "0123456789abcdef0123456789abcdef" } }) },
    },
    oauth2RevokeToken: {
      resource: null,
      effect: "none",
      request: () => ({ body: { token: "a-token-that-nobody-has" } }),
    },
  },
};
