import { Type } from 'typebox'

const Nullable = Type.Union([Type.String(), Type.Null()])

/** In place of a result, for an account that nobody has opened in a browser. */
const Nothing = Type.Array(Type.Unknown(), { maxItems: 0 })

export const Uploaded = Type.Union([Type.Object({ id: Type.String({ minLength: 1 }) }), Nothing])
export const Created = Type.Union([Type.Object({ id: Type.String({ minLength: 1 }), url: Type.Optional(Nullable) }), Nothing])

const Status = Type.Object({
  id: Type.String({ minLength: 1 }),
  url: Type.Optional(Nullable),
  created_at: Type.String(),
  /** HTML. */
  content: Type.String(),
  account: Type.Optional(Type.Object({ id: Type.String() })),
  media_attachments: Type.Optional(Type.Array(Type.Object({ id: Type.String() }))),
})

export const Statuses = Type.Array(Status)
export const Context = Type.Object({ descendants: Statuses })
export const File = Type.Object({ id: Type.String({ minLength: 1 }) })

/** What `stage` returns for `submit`: the ids of the uploaded files. */
export const StagedPost = Type.Object({ media: Type.Array(Type.String(), { minItems: 1 }) })
