export interface ApiClient {
  /** 32 lower-case hex digits. */
  readonly client_id: string;
  readonly cid: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly created_at: string;
  /**
   * The user that the client acts as. The user's roles then decide what the client may do. Absent: its scopes
   * alone decide.
   */
  readonly user_uuid?: string;
}

export interface ClientSecret {
  /** SHA-256 of the secret, hex. */
  readonly hash: string;
  readonly created_at: string;
  /** The instant at which the secret stops working. Null until the secret is rotated. */
  readonly expires_at: string | null;
}

export interface AccessToken {
  /** SHA-256 of the token, hex; the token itself is never stored. */
  readonly hash: string;
  readonly client_id: string;
  readonly cid: string;
  readonly scopes: readonly string[];
  readonly expires_at: string;
}
