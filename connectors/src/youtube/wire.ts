import { Type } from 'typebox'
import { FollowerCount } from '../kit/auth.ts'

const Reason = Type.Object({ reason: Type.Optional(Type.String()) })

export const Failure = Type.Object({
  error: Type.Object({ message: Type.Optional(Type.String()), errors: Type.Optional(Type.Array(Reason)) }),
})

/** A Google account without a channel has no items. The kind tells such an answer from one that says nothing. */
export const Channels = Type.Object({
  kind: Type.String(),
  items: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String(),
        snippet: Type.Object({
          title: Type.Optional(Type.String()),
          customUrl: Type.Optional(Type.String()),
          thumbnails: Type.Optional(Type.Object({ default: Type.Optional(Type.Object({ url: Type.Optional(Type.String()) })) })),
        }),
        statistics: Type.Optional(
          Type.Object({ subscriberCount: FollowerCount, hiddenSubscriberCount: Type.Optional(Type.Unknown()) }),
        ),
      }),
    ),
  ),
})

/** The answer to the last byte of an upload is the video. To any other byte it is empty, with status 308. */
export const UploadAnswer = Type.Union([Type.Object({ id: Type.String() }), Type.Null()])

const VideoStatus = Type.Object({
  uploadStatus: Type.String(),
  privacyStatus: Type.Optional(Type.String()),
  failureReason: Type.Optional(Type.String()),
  rejectionReason: Type.Optional(Type.String()),
})

export const VideoStates = Type.Object({
  items: Type.Array(
    Type.Object({ id: Type.String(), status: VideoStatus, snippet: Type.Object({ publishedAt: Type.String() }) }),
  ),
})

export const VideoFigures = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Type.String(),
      // Numbers are written as texts. Likes are missing if the channel hides them, and comments if they are off.
      statistics: Type.Object({
        viewCount: Type.Optional(Type.String()),
        likeCount: Type.Optional(Type.String()),
        commentCount: Type.Optional(Type.String()),
      }),
    }),
  ),
})

export const Uploads = Type.Object({
  items: Type.Array(
    Type.Object({
      snippet: Type.Object({
        title: Type.Optional(Type.String()),
        description: Type.Optional(Type.String()),
        publishedAt: Type.Optional(Type.String()),
      }),
      contentDetails: Type.Object({ videoId: Type.String() }),
    }),
  ),
  nextPageToken: Type.Optional(Type.String()),
})

export const Thread = Type.Object({ id: Type.String() })

export const Threads = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Type.String(),
      snippet: Type.Object({
        topLevelComment: Type.Object({
          snippet: Type.Object({
            textOriginal: Type.Optional(Type.String()),
            textDisplay: Type.Optional(Type.String()),
            authorChannelId: Type.Optional(Type.Object({ value: Type.Optional(Type.String()) })),
            publishedAt: Type.String(),
          }),
        }),
      }),
    }),
  ),
  nextPageToken: Type.Optional(Type.String()),
})

/** What `stage` returns. */
export const StagedVideo = Type.Object({ uploadUrl: Type.String(), sizeBytes: Type.Number() })

export const AnyBody = Type.Unknown()
