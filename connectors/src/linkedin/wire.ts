import { Type } from 'typebox'
import { StagedCard } from '../kit/link-card.ts'

export const UserInfo = Type.Object({
  sub: Type.String(),
  name: Type.Optional(Type.String()),
  picture: Type.Optional(Type.String()),
})

export const Roles = Type.Object({ elements: Type.Array(Type.Object({ organization: Type.String(), role: Type.String() })) })

export const Organization = Type.Object({
  localizedName: Type.String(),
  vanityName: Type.Optional(Type.String()),
})

export const ImageUpload = Type.Object({ value: Type.Object({ uploadUrl: Type.String(), image: Type.String() }) })
export const DocumentUpload = Type.Object({ value: Type.Object({ uploadUrl: Type.String(), document: Type.String() }) })
const Offset = Type.Integer({ minimum: 0 })
export const VideoUpload = Type.Object({
  value: Type.Object({
    video: Type.String(),
    uploadToken: Type.String(),
    uploadInstructions: Type.Array(Type.Object({ uploadUrl: Type.String(), firstByte: Offset, lastByte: Offset }), {
      minItems: 1,
    }),
  }),
})

/** An uploaded image, document or video. */
export const Asset = Type.Object({ status: Type.String() })

/** Older answers name a comment by the other fields. */
export const CreatedComment = Type.Union([
  Type.Object({ commentUrn: Type.String() }),
  Type.Object({ $URN: Type.String() }),
  Type.Object({ id: Type.String() }),
])

export const Posts = Type.Object({
  elements: Type.Array(
    Type.Object({
      id: Type.String(),
      commentary: Type.Optional(Type.String()),
      content: Type.Optional(Type.Object({ article: Type.Optional(Type.Object({ source: Type.Optional(Type.String()) })) })),
      createdAt: Type.Optional(Type.Number()),
      publishedAt: Type.Optional(Type.Number()),
    }),
  ),
})

export const Comments = Type.Object({
  elements: Type.Array(
    Type.Object({
      commentUrn: Type.Optional(Type.String()),
      actor: Type.String(),
      message: Type.Object({ text: Type.Optional(Type.String()) }),
      created: Type.Optional(Type.Object({ time: Type.Number() })),
    }),
  ),
})

const Count = Type.Optional(Type.Number())

export const Statistics = Type.Object({
  elements: Type.Array(
    Type.Object({
      share: Type.Optional(Type.String()),
      ugcPost: Type.Optional(Type.String()),
      totalShareStatistics: Type.Object({
        impressionCount: Count,
        clickCount: Count,
        likeCount: Count,
        commentCount: Count,
        shareCount: Count,
      }),
    }),
  ),
})

/** What `stage` returns for `submit`: the URNs of the uploads, and when they were complete. */
export const StagedPost = Type.Object({
  media: Type.Array(Type.String()),
  uploadedAtMs: Type.Optional(Type.Number()),
  card: Type.Optional(Type.Union([StagedCard, Type.Null()])),
})

export const AnyBody = Type.Unknown()
