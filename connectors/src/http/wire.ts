import { Type } from 'typebox'

/** Any value, because whoever writes a receiver may leave fields out or write something else into them. */
const Any = Type.Optional(Type.Unknown())

/** What a receiver says about itself. Only the version of this interface must be there: it tells a receiver from any other page. */
export const Declaration = Type.Object({
  carillon: Type.Literal(1),
  id: Any,
  handle: Any,
  name: Any,
  avatarUrl: Any,
  keys: Any,
  replies: Any,
  formats: Any,
  text: Any,
  photos: Any,
  video: Any,
  altTextMax: Any,
})

/** The response to a post, and to the question what became of one. With status 202 it may be empty. */
export const Result = Type.Union([
  Type.Object({
    postId: Type.Optional(Type.Union([Type.String(), Type.Number()])),
    postUrl: Any,
    checkAfterSeconds: Any,
    /** What arrived, for people who test a receiver. */
    received: Any,
  }),
  Type.Null(),
])

/** A receiver that tells no figures answers with its declaration. */
export const FiguresAnswer = Type.Object({
  figures: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

export const AnyBody = Type.Unknown()
