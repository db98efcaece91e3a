/** The account on the platform that a connection publishes to. */
export type Account = {
  id: string
  handle: string
  displayName: string
  avatarUrl: string | null
  /** The id by which the platform names the account's owner to the app in a notice, where it is another one than `id`. */
  appUserId?: string
}
