export const postKinds = ['text', 'photo', 'carousel', 'video', 'document'] as const
export type PostKind = (typeof postKinds)[number]

/**
 * What tests from outside know about a platform. It is written down beside the simulated platform instead of taken from the connector or its
 * manifest, because the tests judge these.
 */
export type PlatformTraits = {
  /**
   * What the platform offers for finding out what became of a send whose answer was lost: `key` recognises a repeated send, `reference` has an
   * object whose state can be read, `readback` has only its list of recent posts, and `none` has nothing.
   */
  proof: 'key' | 'reference' | 'readback' | 'none'
  /** How many accounts of it a run of chaos has. */
  accounts: number
  /** Only a run of chaos with `--platforms all` has them, because their posts take long until they are at rest, or one more adds little. */
  isLeftOut?: true
  /** It recognises a repeat for some minutes only. Afterwards its list of recent posts is all that there is. */
  forgetsKeys?: true
  kinds: readonly PostKind[]
  hasComments: boolean
  hasThreads?: boolean
  /** All posts of a thread answer its first one. On the others, each answers the one before it. */
  answersFirst?: true
  /** Its tokens can be renewed after they expired. Those of the others can only be renewed earlier, or never expire. */
  renews?: true
  /** A run of chaos connects its accounts again. The acceptance tests cover how accounts of the others are connected. */
  reconnects?: true
  /**
   * What a person enters to connect an account, where there is no consent page. `{handle}`, `{id}`, `{token}` and `{password}` are those of
   * the account, and `{site}` is the address of the simulated platform.
   */
  fields?: Readonly<Record<string, string>>
  /** It accepts a call first, and publishes nothing if it then cannot fetch the files. */
  fetchesLater?: true
  /** It promises nothing about when a new post is in its lists, or when a published container looks published. */
  listsLate?: true
  /** What stands before the token in the header `Authorization`, where it is not `Bearer`. */
  scheme?: string
  /** The header that has the token alone, where it is not `Authorization`. */
  tokenHeader?: string
  /**
   * Requests are signed with the token and do not contain it: as Standard Webhooks are, with a JWT by the id before its colon, or with an event
   * of Nostr.
   */
  signed?: 'webhook' | 'jwt' | 'event'
  /** Each account is on a server of its own, so whoever connects one names the address. */
  hasSites?: true
  /** The path of a GET that needs the access token. `{token}` stands for the token where it is part of the path, and `{id}` for the account. */
  reader: string
}
