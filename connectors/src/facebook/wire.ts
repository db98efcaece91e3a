import { Type } from 'typebox'
import { Paging } from '../meta/paging.ts'

const Picture = Type.Object({ data: Type.Object({ url: Type.Optional(Type.String()) }) })

/** A page without a name of its own in its address has no `username`. */
export const Page = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
  picture: Type.Optional(Picture),
})

/** The pages that a person manages. `tasks` are what the person may do there. */
export const Pages = Type.Object({
  data: Type.Array(
    Type.Intersect([
      Page,
      Type.Object({ access_token: Type.Optional(Type.String()), tasks: Type.Optional(Type.Array(Type.String())) }),
    ]),
  ),
  paging: Type.Optional(Paging),
})

export const Permissions = Type.Object({ data: Type.Array(Type.Object({ permission: Type.String(), status: Type.String() })) })

export const CreatedObject = Type.Object({ id: Type.String() })
export const CreatedPost = Type.Object({ id: Type.String(), permalink_url: Type.Optional(Type.String()) })
export const CreatedStory = Type.Object({ success: Type.Boolean(), post_id: Type.Optional(Type.String()) })
export const Success = Type.Object({ success: Type.Boolean() })

/** A video of the feed names its session and the bytes to send first; a reel or story names an address. */
export const StartedVideo = Type.Object({
  video_id: Type.String(),
  upload_session_id: Type.String(),
  start_offset: Type.String(),
  end_offset: Type.String(),
})
export const Offsets = Type.Object({ start_offset: Type.String(), end_offset: Type.String() })
export const StartedReel = Type.Object({ video_id: Type.String(), upload_url: Type.String() })

const Phase = Type.Object({
  status: Type.Optional(Type.String()),
  publish_status: Type.Optional(Type.String()),
  errors: Type.Optional(Type.Array(Type.Object({ code: Type.Optional(Type.Number()) }))),
  error: Type.Optional(Type.Object({ code: Type.Optional(Type.Number()) })),
})

export const Video = Type.Object({
  status: Type.Object({
    video_status: Type.Optional(Type.String()),
    uploading_phase: Type.Optional(Phase),
    processing_phase: Type.Optional(Phase),
    publishing_phase: Type.Optional(Phase),
  }),
  /** A path without the host. */
  permalink_url: Type.Optional(Type.String()),
  post_id: Type.Optional(Type.String()),
})

/** `message` is absent for a post without text. */
export const Posts = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      message: Type.Optional(Type.String()),
      created_time: Type.String(),
      permalink_url: Type.Optional(Type.String()),
      attachments: Type.Optional(Type.Object({ data: Type.Array(Type.Object({ unshimmed_url: Type.Optional(Type.String()) })) })),
    }),
  ),
  paging: Type.Optional(Paging),
})

export const Stories = Type.Object({
  data: Type.Array(
    Type.Object({
      post_id: Type.String(),
      media_id: Type.Optional(Type.String()),
      url: Type.Optional(Type.String()),
    }),
  ),
})

export const Comments = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      message: Type.Optional(Type.String()),
      created_time: Type.String(),
      from: Type.Optional(Type.Object({ id: Type.String() })),
    }),
  ),
  paging: Type.Optional(Paging),
})

const Total = Type.Object({ summary: Type.Optional(Type.Object({ total_count: Type.Optional(Type.Number()) })) })

export const Counts = Type.Object({
  id: Type.String(),
  reactions: Type.Optional(Total),
  comments: Type.Optional(Total),
  shares: Type.Optional(Type.Object({ count: Type.Number() })),
})

/** What `stage` returns for `submit` and `find`: photos that nobody sees yet, or a video that was uploaded and not published. */
export const StagedPhotos = Type.Object({ photoIds: Type.Array(Type.String()) })
export const StagedVideo = Type.Object({ videoId: Type.String(), sessionId: Type.Union([Type.String(), Type.Null()]) })
