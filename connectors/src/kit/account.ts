/** Who is spoken for. */
export type Account = { id: string; handle: string; displayName: string; avatarUrl: string | null }
