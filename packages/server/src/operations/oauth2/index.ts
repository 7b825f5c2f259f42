import { oauth2AccessToken } from "./oauth2AccessToken.ts";
import { oauth2RevokeToken } from "./oauth2RevokeToken.ts";

export const oauth2Handlers = { oauth2AccessToken, oauth2RevokeToken };
