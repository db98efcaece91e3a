import { Type } from 'typebox'
import { Paging } from '../meta/paging.ts'

/** `user_id` identifies the account; `id` is valid for this app only. */
export const Me = Type.Object({
  /** Specific to the app: notices name it. Posts are published with `user_id`. */
  id: Type.String(),
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

/** `caption` is absent for a post without one, and for a login that may not read captions. */
export const Listing = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      permalink: Type.Optional(Type.String()),
      timestamp: Type.String(),
      caption: Type.Optional(Type.String()),
    }),
  ),
  paging: Type.Optional(Paging),
})

export const Comments = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      text: Type.Optional(Type.String()),
      timestamp: Type.String(),
      username: Type.Optional(Type.String()),
    }),
  ),
  paging: Type.Optional(Paging),
})

/** What `stage` returns for `submit` and `find`. */
export const StagedPost = Type.Object({ creationId: Type.String() })
