import { Type } from 'typebox'
import { StagedCard } from '../kit/link-card.ts'

export const Session = Type.Object({
  did: Type.String(),
  handle: Type.String(),
  accessJwt: Type.String(),
  refreshJwt: Type.String(),
})

export const CurrentSession = Type.Object({ did: Type.String(), handle: Type.String() })

export const Profile = Type.Object({
  displayName: Type.Optional(Type.String()),
  avatar: Type.Optional(Type.String()),
})

export const ResolvedHandle = Type.Object({ did: Type.String() })

/** Refers to one version of one record. */
export const StrongRef = Type.Object({ uri: Type.String(), cid: Type.String() })

export const PostRecord = Type.Object({
  uri: Type.String(),
  cid: Type.String(),
  value: Type.Object({ reply: Type.Optional(Type.Object({ root: StrongRef })) }),
})

/** Kept unchanged: the record must contain exactly what the server returned. */
export const Blob = Type.Object({ blob: Type.Record(Type.String(), Type.Unknown()) })

export const Posts = Type.Object({
  posts: Type.Array(
    Type.Object({
      uri: Type.String(),
      likeCount: Type.Optional(Type.Number()),
      replyCount: Type.Optional(Type.Number()),
      repostCount: Type.Optional(Type.Number()),
      bookmarkCount: Type.Optional(Type.Number()),
    }),
  ),
})

export const AnyBody = Type.Unknown()

/** What `stage` returns for `submit`. */
export const StagedPost = Type.Object({
  /** Handle → DID, for the mentions that exist. */
  mentions: Type.Record(Type.String(), Type.String()),
  reply: Type.Union([Type.Object({ root: StrongRef, parent: StrongRef }), Type.Null()]),
  blobs: Type.Array(Blob.properties.blob),
  /** Absent in what a release before cards has staged. */
  card: Type.Optional(Type.Union([StagedCard, Type.Null()])),
})
