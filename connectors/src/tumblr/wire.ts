import { type Static, Type } from 'typebox'
import { FollowerCount } from '../kit/auth.ts'

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]))

const Blog = Type.Object({
  uuid: Type.String({ minLength: 1 }),
  name: Type.String({ minLength: 1 }),
  title: Text,
  primary: Type.Optional(Type.Unknown()),
  followers: FollowerCount,
  avatar: Type.Optional(Type.Array(Type.Object({ url: Text }))),
})
export type Blog = Static<typeof Blog>

export const UserInfo = Type.Object({ response: Type.Object({ user: Type.Object({ blogs: Type.Array(Blog) }) }) })

/** The documentation names the id only. `state` says that a video is not shown yet. */
export const Created = Type.Object({ response: Type.Object({ id: Type.String({ minLength: 1 }), state: Text }) })

const Block = Type.Object({ type: Type.String(), subtype: Text, text: Text, url: Text })

/** `id` is a number that a program may read wrongly, so it is not read. */
const ListedPost = Type.Object({
  id_string: Type.String({ minLength: 1 }),
  genesis_post_id: Text,
  slug: Text,
  timestamp: Type.Optional(Type.Number()),
  content: Type.Optional(Type.Array(Block)),
})
export type ListedPost = Static<typeof ListedPost>

export const Posts = Type.Object({ response: Type.Object({ posts: Type.Array(ListedPost) }) })

const Count = Type.Optional(Type.Number())

export const Notes = Type.Object({
  response: Type.Object({ total_likes: Count, total_reblogs: Count, total_replies: Count }),
})

export const AnyBody = Type.Unknown()
