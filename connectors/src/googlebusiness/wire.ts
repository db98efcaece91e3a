import { type Static, Type } from 'typebox'

const Text = Type.Optional(Type.String())

/** google.rpc.Status. The details differ by their type, and each is read as far as it is known. */
export const Failure = Type.Object({
  error: Type.Object({ message: Text, status: Text, details: Type.Optional(Type.Array(Type.Unknown())) }),
})
export const ErrorInfo = Type.Object({
  reason: Type.String(),
  metadata: Type.Optional(Type.Object({ quota_limit_value: Text })),
})
export const RetryInfo = Type.Object({ retryDelay: Type.String() })
const Violation = Type.Object({ field: Text, message: Text, description: Text })
export const ValidationError = Type.Object({ errorDetails: Type.Array(Violation) })
export const BadRequest = Type.Object({ fieldViolations: Type.Array(Violation) })

/** An empty list is left out of an answer. */
export const Accounts = Type.Object({
  accounts: Type.Optional(Type.Array(Type.Object({ name: Type.String({ pattern: '^accounts/' }) }))),
  nextPageToken: Text,
})

export const Location = Type.Object({
  name: Type.String({ pattern: '^locations/' }),
  title: Text,
  storeCode: Text,
  storefrontAddress: Type.Optional(Type.Object({ addressLines: Type.Optional(Type.Array(Type.String())), locality: Text })),
  metadata: Type.Optional(Type.Object({ canOperateLocalPost: Type.Optional(Type.Boolean()) })),
})
export const Locations = Type.Object({ locations: Type.Optional(Type.Array(Location)), nextPageToken: Text })

export const LocalPost = Type.Object({
  name: Type.String({ pattern: '/localPosts/[^/]+$' }),
  state: Text,
  createTime: Text,
  searchUrl: Text,
  topicType: Text,
  summary: Text,
  callToAction: Type.Optional(Type.Object({ url: Text })),
  event: Type.Optional(Type.Object({ title: Text })),
  offer: Type.Optional(Type.Object({ redeemOnlineUrl: Text })),
  media: Type.Optional(Type.Array(Type.Unknown())),
})
export type LocalPost = Static<typeof LocalPost>
export const LocalPosts = Type.Object({ localPosts: Type.Optional(Type.Array(LocalPost)), nextPageToken: Text })

export const AnyBody = Type.Unknown()
