import { Type } from 'typebox'

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]))

/** What a site says about itself. Only `url` must be there: it is what the site calls itself. */
export const Site = Type.Object({ site: Type.Object({ url: Type.String(), title: Text, icon: Text, logo: Text }) })

export const Post = Type.Object({ id: Type.String(), slug: Type.String(), url: Text })

export const Posts = Type.Object({ posts: Type.Array(Post) })

export const Created = Type.Object({ posts: Type.Tuple([Post]) })

const Files = Type.Array(Type.Object({ url: Type.String() }), { minItems: 1 })

/** By the kind of the file, which is also a part of the address. */
export const Uploaded = Type.Object({
  images: Type.Optional(Files),
  media: Type.Optional(Files),
  files: Type.Optional(Files),
})

export const AnyBody = Type.Unknown()

/** What `stage` returns for `submit`. */
export const StagedPost = Type.Object({ urls: Type.Array(Type.String()) })
