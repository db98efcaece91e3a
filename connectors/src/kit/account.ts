/** The account on the platform that a connection publishes to. */
export type Account = { id: string; handle: string; displayName: string; avatarUrl: string | null }
