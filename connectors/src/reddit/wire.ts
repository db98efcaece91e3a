import { type Static, type TSchema, Type } from 'typebox'

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const Name = Type.String({ minLength: 4 })
const Address = Type.String({ minLength: 1 })

export const Me = Type.Object({ id: Type.String({ minLength: 1 }), name: Type.String({ minLength: 1 }), icon_img: Text })

/** What is wrong with a form, with the status of a success: a code, a sentence and a field. */
export const FormErrors = Type.Object({
  json: Type.Object({
    errors: Type.Array(Type.Array(Type.Union([Type.String(), Type.Null()]), { minItems: 1 }), { minItems: 1 }),
    /** Seconds to wait. */
    ratelimit: Type.Optional(Type.Number()),
  }),
})

/** `name` is the whole id of a text or a link; `id` is the whole id of a gallery. An image is only known by its file. */
export const Submitted = Type.Object({ json: Type.Object({ data: Type.Object({ url: Address, name: Name }) }) })
export const SubmittedGallery = Type.Object({ json: Type.Object({ data: Type.Object({ url: Address, id: Name }) }) })
export const SubmittedImage = Type.Object({ json: Type.Object({ data: Type.Object({ user_submitted_page: Address }) }) })

export const Commented = Type.Object({
  json: Type.Object({
    data: Type.Object({
      things: Type.Array(Type.Object({ data: Type.Object({ name: Name, permalink: Text }) }), { minItems: 1 }),
    }),
  }),
})

const Listing = <Thing extends TSchema>(thing: Thing) =>
  Type.Object({
    data: Type.Object({ after: Text, children: Type.Array(Type.Object({ data: thing })) }),
  })

const Post = Type.Object({
  name: Name,
  title: Type.String(),
  selftext: Text,
  subreddit: Type.String(),
  is_self: Type.Optional(Type.Boolean()),
  url: Text,
  permalink: Text,
  created_utc: Type.Optional(Type.Number()),
  media_metadata: Type.Optional(Type.Unknown()),
})
export type ListedPost = Static<typeof Post>
export const Posts = Listing(Post)

export const Comments = Listing(
  Type.Object({
    name: Name,
    body: Type.String(),
    parent_id: Type.String(),
    permalink: Text,
    created_utc: Type.Optional(Type.Number()),
  }),
)

const Count = Type.Optional(Type.Number())
export const Figures = Listing(Type.Object({ name: Name, score: Count, num_comments: Count, num_crossposts: Count }))

export const Flairs = Type.Array(Type.Object({ id: Type.String({ minLength: 1 }), text: Text }))

export const Lease = Type.Object({
  args: Type.Object({
    action: Address,
    fields: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  }),
  asset: Type.Object({ asset_id: Type.String({ minLength: 1 }) }),
})

export const AnyBody = Type.Unknown()

/** What `stage` returns for `submit`: the flair, and the uploaded files by their names and addresses. */
export const StagedPost = Type.Object({
  flairId: Type.Union([Type.String(), Type.Null()]),
  files: Type.Array(Type.Object({ asset: Type.String(), url: Type.String() })),
})
