import { Type } from 'typebox'

/** `user_id` identifies the account; `id` is valid for this app only. */
export const Me = Type.Object({
  user_id: Type.String(),
  username: Type.String(),
  name: Type.Optional(Type.String()),
  profile_picture_url: Type.Optional(Type.String()),
})

/** The answer for a new container, post or comment. */
export const CreatedObject = Type.Object({ id: Type.String() })

/** `status` contains the subcode when `status_code` is ERROR. */
export const Container = Type.Object({
  status_code: Type.Enum(['IN_PROGRESS', 'FINISHED', 'ERROR', 'EXPIRED', 'PUBLISHED']),
  status: Type.Optional(Type.String()),
})

export const Listing = Type.Object({
  data: Type.Array(Type.Object({ id: Type.String(), permalink: Type.Optional(Type.String()), timestamp: Type.String() })),
})

export const Comments = Type.Object({
  data: Type.Array(Type.Object({ id: Type.String(), text: Type.Optional(Type.String()), timestamp: Type.String() })),
})

/** What `stage` returns for `submit` and `find`. */
export const StagedPost = Type.Object({ creationId: Type.String() })
