import { Type } from 'typebox'
import { FollowerCount } from '../kit/auth.ts'

const Nullable = Type.Union([Type.String(), Type.Null()])

export const RegisteredApp = Type.Object({ client_id: Type.String(), client_secret: Type.String() })

export const Account = Type.Object({
  id: Type.String(),
  username: Type.String(),
  acct: Type.String(),
  display_name: Type.Optional(Type.String()),
  avatar: Type.Optional(Nullable),
  followers_count: FollowerCount,
})

/** `url` may be null for posts that are not public. */
export const Status = Type.Object({ id: Type.String(), url: Type.Optional(Nullable) })

export const Statuses = Type.Array(
  Type.Object({
    id: Type.String(),
    url: Type.Optional(Nullable),
    created_at: Type.String(),
    in_reply_to_id: Type.Optional(Nullable),
    /** HTML. */
    content: Type.String(),
  }),
)

export const StatusCounts = Type.Object({
  id: Type.String(),
  favourites_count: Type.Number(),
  replies_count: Type.Number(),
  reblogs_count: Type.Number(),
})

/** `url` is null until the server has processed the file. */
export const Attachment = Type.Object({ id: Type.String(), url: Nullable })

/** What `stage` returns for `submit`. */
export const StagedPost = Type.Object({ media: Type.Array(Type.Object({ id: Type.String(), isReady: Type.Boolean() })) })

export const AnyBody = Type.Unknown()
