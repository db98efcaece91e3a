import { Type } from 'typebox'

const Text = Type.Optional(Type.String())

/** What a site says about itself. Only `namespaces` must be there: it tells WordPress from any other page. */
export const Site = Type.Object({
  name: Text,
  namespaces: Type.Array(Type.String()),
  /** By the names of the ways to sign in. PHP writes an empty one as a list. */
  authentication: Type.Optional(Type.Unknown()),
})

export const Me = Type.Object({
  id: Type.Integer(),
  slug: Type.String(),
  name: Text,
  username: Text,
  avatar_urls: Type.Optional(Type.Unknown()),
  capabilities: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

/** `name` is HTML. */
const Term = Type.Object({ id: Type.Integer(), name: Type.String() })

export const Terms = Type.Array(Term)

/** The refusal to create what exists already names what exists. */
export const TermOrKnown = Type.Union([
  Term,
  Type.Object({ code: Type.Literal('term_exists'), data: Type.Object({ term_id: Type.Integer() }) }),
])

export const Uploaded = Type.Object({ id: Type.Integer(), source_url: Type.String() })

export const Created = Type.Object({ id: Type.Integer(), link: Text })

export const Posts = Type.Array(Type.Object({ id: Type.Integer(), slug: Type.String(), link: Text }))

/** `raw` is there for moderators only. */
export const Comments = Type.Array(
  Type.Object({
    id: Type.Integer(),
    author: Type.Integer(),
    date_gmt: Type.String(),
    link: Text,
    content: Type.Object({ raw: Text }),
  }),
)

export const AnyBody = Type.Unknown()

/** What `stage` returns for `submit`. */
export const StagedPost = Type.Object({
  files: Type.Array(Type.Object({ id: Type.Integer(), url: Type.String() })),
  tags: Type.Array(Type.Integer()),
  categories: Type.Array(Type.Integer()),
})
