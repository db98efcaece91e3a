import { Type } from 'typebox'

export const Me = Type.Object({
  data: Type.Object({
    id: Type.String(),
    username: Type.String(),
    name: Type.Optional(Type.String()),
    profile_image_url: Type.Optional(Type.String()),
  }),
})

export const CreatedPost = Type.Object({ data: Type.Object({ id: Type.String() }) })

/** `media_key` is present when the link stands for the post's own photo or video. */
const ShortLink = Type.Object({
  url: Type.String(),
  expanded_url: Type.Optional(Type.String()),
  unwound_url: Type.Optional(Type.String()),
  media_key: Type.Optional(Type.String()),
})

/** `data` is absent when there is nothing to list. `meta` then says so: without it, nothing is known. */
export const Timeline = Type.Object({
  data: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String(),
        text: Type.String(),
        created_at: Type.Optional(Type.String()),
        entities: Type.Optional(Type.Object({ urls: Type.Optional(Type.Array(ShortLink)) })),
        referenced_tweets: Type.Optional(Type.Array(Type.Object({ type: Type.String(), id: Type.String() }))),
      }),
    ),
  ),
  meta: Type.Object({ next_token: Type.Optional(Type.String()) }),
})

const Count = Type.Optional(Type.Number())

export const PostMetrics = Type.Object({
  data: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String(),
        public_metrics: Type.Object({
          like_count: Count,
          reply_count: Count,
          retweet_count: Count,
          repost_count: Count,
          impression_count: Count,
          bookmark_count: Count,
        }),
        non_public_metrics: Type.Optional(Type.Object({ url_link_clicks: Count })),
      }),
    ),
  ),
})

/** `processing_info` is absent when the file is ready. */
export const Upload = Type.Object({
  data: Type.Object({
    id: Type.String(),
    processing_info: Type.Optional(Type.Object({ state: Type.String(), check_after_secs: Type.Optional(Type.Number()) })),
  }),
})

/** What `stage` returns for `submit`. */
export const StagedPost = Type.Object({
  media: Type.Array(Type.Object({ id: Type.String(), isReady: Type.Boolean(), isAltLost: Type.Optional(Type.Boolean()) })),
})

export const AnyBody = Type.Unknown()
