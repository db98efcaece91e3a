import { Type } from 'typebox'

/** `user_id` is the account; `id` is only this app's name for the person. */
export const Me = Type.Object({
  user_id: Type.String(),
  username: Type.String(),
  name: Type.Optional(Type.String()),
  profile_picture_url: Type.Optional(Type.String()),
})

/** Containers, media and comments alike are named by an id. */
export const CreatedObject = Type.Object({ id: Type.String() })

/** `status` names the subcode when the code is ERROR. */
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

/** What `stage` leaves for `submit` and `find`. */
export const StagedPost = Type.Object({ creationId: Type.String() })
