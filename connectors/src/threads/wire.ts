import { Type } from 'typebox'

export const Me = Type.Object({
  id: Type.String(),
  username: Type.String(),
  name: Type.Optional(Type.String()),
  threads_profile_picture_url: Type.Optional(Type.String()),
})

/** The answer for a new container or post. */
export const CreatedObject = Type.Object({ id: Type.String() })

export const Container = Type.Object({
  status: Type.Enum(['IN_PROGRESS', 'FINISHED', 'ERROR', 'EXPIRED', 'PUBLISHED']),
  error_message: Type.Optional(Type.String()),
})

export const Listing = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      permalink: Type.Optional(Type.String()),
      timestamp: Type.String(),
      text: Type.Optional(Type.String()),
    }),
  ),
})

/** What `stage` returns for `submit` and `find`. */
export const StagedPost = Type.Object({ creationId: Type.String() })

export const AnyBody = Type.Unknown()
