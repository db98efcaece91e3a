import { Type } from 'typebox'

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]))

export const Me = Type.Object({ id: Type.Integer(), username: Type.String(), name: Text, profile_image: Text })

export const Article = Type.Object({ id: Type.Integer(), url: Text })

/** One's own, newest first. A draft has no time. */
export const OwnArticles = Type.Array(
  Type.Object({
    id: Type.Integer(),
    url: Text,
    title: Type.String(),
    body_markdown: Text,
    published_at: Text,
    page_views_count: Type.Optional(Type.Number()),
    public_reactions_count: Type.Optional(Type.Number()),
    comments_count: Type.Optional(Type.Number()),
  }),
)

export const AnyBody = Type.Unknown()
