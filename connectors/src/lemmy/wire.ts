import { Type } from 'typebox'

export const api = '/api/v3'

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]))

export const SignedIn = Type.Object({ jwt: Text })

const CommunityName = Type.Object({ name: Type.String(), actor_id: Type.String() })

/** `my_user` is missing if the token is not known. Only `version` must be there: it tells Lemmy from any other page. */
export const Site = Type.Object({
  version: Type.String(),
  all_languages: Type.Optional(Type.Array(Type.Object({ id: Type.Integer(), code: Type.String() }))),
  my_user: Type.Optional(
    Type.Object({
      local_user_view: Type.Object({
        local_user: Type.Object({ show_bot_accounts: Type.Optional(Type.Boolean()) }),
        person: Type.Object({
          id: Type.Integer(),
          name: Type.String(),
          display_name: Text,
          avatar: Text,
          bot_account: Type.Optional(Type.Boolean()),
        }),
      }),
      follows: Type.Optional(Type.Array(Type.Object({ community: CommunityName }))),
      /** The numbers of the languages whose posts the person is shown. */
      discussion_languages: Type.Optional(Type.Array(Type.Integer())),
    }),
  ),
})

export const Community = Type.Object({ community_view: Type.Object({ community: Type.Object({ id: Type.Integer() }) }) })

/** A success without files is a refusal of pict-rs. */
export const Uploaded = Type.Object({
  files: Type.Optional(Type.Union([Type.Array(Type.Object({ file: Type.String() })), Type.Null()])),
})

export const Created = Type.Object({ post_view: Type.Object({ post: Type.Object({ id: Type.Integer(), ap_id: Text }) }) })

export const Commented = Type.Object({
  comment_view: Type.Object({ comment: Type.Object({ id: Type.Integer(), ap_id: Text }) }),
})

export const Posts = Type.Object({
  posts: Type.Array(
    Type.Object({
      post: Type.Object({
        id: Type.Integer(),
        name: Type.String(),
        url: Text,
        body: Text,
        creator_id: Type.Integer(),
        published: Type.String(),
        ap_id: Text,
      }),
    }),
  ),
  next_page: Text,
})

export const Comments = Type.Object({
  comments: Type.Array(
    Type.Object({
      comment: Type.Object({
        id: Type.Integer(),
        creator_id: Type.Integer(),
        content: Type.String(),
        published: Type.String(),
        ap_id: Text,
      }),
    }),
  ),
})

export const Counts = Type.Object({
  post_view: Type.Object({ counts: Type.Object({ upvotes: Type.Number(), comments: Type.Number() }) }),
})

export const AnyBody = Type.Unknown()

/** What `stage` returns for `submit`. */
export const StagedPost = Type.Object({
  communityId: Type.Integer(),
  languageId: Type.Union([Type.Integer(), Type.Null()]),
  /** The address of the uploaded image. */
  image: Type.Union([Type.String(), Type.Null()]),
})
