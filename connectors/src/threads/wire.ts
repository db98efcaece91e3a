import { Type } from 'typebox'
import { FollowerCount } from '../kit/auth.ts'
import { Paging } from '../meta/paging.ts'

export const Me = Type.Object({
  id: Type.String(),
  username: Type.String(),
  name: Type.Optional(Type.String()),
  threads_profile_picture_url: Type.Optional(Type.String()),
})

export const AccountInsights = Type.Object({
  data: Type.Array(Type.Object({ name: Type.String(), total_value: Type.Optional(Type.Object({ value: FollowerCount })) })),
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
      link_attachment_url: Type.Optional(Type.String()),
      replied_to: Type.Optional(Type.Object({ id: Type.String() })),
    }),
  ),
  paging: Type.Optional(Paging),
})

/** What `stage` returns for `submit` and `find`. */
export const StagedPost = Type.Object({ creationId: Type.String() })

export const AnyBody = Type.Unknown()
