import { Type } from 'typebox'
import { StagedCard } from '../kit/link-card.ts'
import { FollowerCount } from '../kit/auth.ts'

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
  followersCount: FollowerCount,
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

export const SessionDocument = Type.Object({ didDoc: Type.Optional(Type.Unknown()) })

export const DidDocument = Type.Object({
  service: Type.Array(Type.Object({ id: Type.String(), serviceEndpoint: Type.String() })),
})

export const ServerDescription = Type.Object({ did: Type.String(), blobUploadLimit: Type.Optional(Type.Number()) })

export const ServiceToken = Type.Object({ token: Type.String() })

export const UploadLimits = Type.Object({
  canUpload: Type.Boolean(),
  remainingDailyVideos: Type.Optional(Type.Number()),
  remainingDailyBytes: Type.Optional(Type.Number()),
  error: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
})

export const VideoJob = Type.Object({
  jobId: Type.String(),
  state: Type.String(),
  blob: Type.Optional(Blob.properties.blob),
  error: Type.Optional(Type.String()),
  failureCode: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
})

/** The lexicon wraps the job. The answer to an upload does not. */
export const JobAnswer = Type.Union([Type.Object({ jobStatus: VideoJob }), VideoJob])

export const AnyBody = Type.Unknown()

/** What `stage` returns for `submit`. */
export const StagedPost = Type.Object({
  /** Handle → DID, for the mentions that exist. */
  mentions: Type.Record(Type.String(), Type.String()),
  reply: Type.Union([Type.Object({ root: StrongRef, parent: StrongRef }), Type.Null()]),
  blobs: Type.Array(Blob.properties.blob),
  /** The video that was still being converted. Its file is then not among `blobs`. */
  job: Type.Optional(Type.Object({ service: Type.String(), jobId: Type.String() })),
  /** The video is converted when the post is visible. */
  isConvertedLate: Type.Optional(Type.Boolean()),
  /** Absent in what a release before cards has staged. */
  card: Type.Optional(Type.Union([StagedCard, Type.Null()])),
})
