import { type TSchema, Type } from 'typebox'

/** Every body contains a code that tells whether the call succeeded, whatever the status. */
export function withEnvelope<Schema extends TSchema>(data: Schema) {
  return Type.Union([Type.Object({ data, error: Type.Object({ code: Type.Literal('ok') }) }), Failure])
}

export const Failure = Type.Object({
  error: Type.Object({ code: Type.String(), message: Type.Optional(Type.String()) }),
})

/** Errors of the token endpoint have another format, and sometimes status 200. */
export const OAuthFailure = Type.Object({ error: Type.String() })

export const User = Type.Object({
  user: Type.Object({
    open_id: Type.String(),
    username: Type.Optional(Type.String()),
    display_name: Type.Optional(Type.String()),
    avatar_url: Type.Optional(Type.String()),
  }),
})

export const Creator = Type.Object({
  creator_username: Type.Optional(Type.String()),
  creator_nickname: Type.Optional(Type.String()),
  privacy_level_options: Type.Array(Type.String()),
  comment_disabled: Type.Optional(Type.Boolean()),
  duet_disabled: Type.Optional(Type.Boolean()),
  stitch_disabled: Type.Optional(Type.Boolean()),
  max_video_post_duration_sec: Type.Optional(Type.Number()),
})

export const VideoUpload = Type.Object({ publish_id: Type.String(), upload_url: Type.String() })
export const PhotoPost = Type.Object({ publish_id: Type.String() })

/** The ids are too large for JavaScript numbers, so `parseJson` returns them as strings. */
export const Status = Type.Object({
  status: Type.String(),
  fail_reason: Type.Optional(Type.String()),
  uploaded_bytes: Type.Optional(Type.Number()),
  publicaly_available_post_id: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Number()]))),
})

export const Videos = Type.Object({
  videos: Type.Array(
    Type.Object({
      id: Type.String(),
      title: Type.Optional(Type.String()),
      video_description: Type.Optional(Type.String()),
      share_url: Type.Optional(Type.String()),
      create_time: Type.Optional(Type.Number()),
      view_count: Type.Optional(Type.Number()),
      like_count: Type.Optional(Type.Number()),
      comment_count: Type.Optional(Type.Number()),
      share_count: Type.Optional(Type.Number()),
    }),
  ),
  cursor: Type.Optional(Type.Union([Type.Number(), Type.String()])),
  has_more: Type.Optional(Type.Boolean()),
})

/** What `stage` returns for a video. `sizeBytes` is absent from videos staged before it was stored. */
export const StagedVideo = Type.Object({
  publishId: Type.String(),
  uploadUrl: Type.String(),
  sizeBytes: Type.Optional(Type.Number()),
})

/** What `stage` returns for photos: only that the account's permissions were checked. */
export const StagedPhotos = Type.Object({ isChecked: Type.Literal(true) })

export const AnyBody = Type.Unknown()
