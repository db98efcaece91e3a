import { Type } from 'typebox'
import { defineTool, describedPost, PostId, readOnly } from '../tool.ts'
import { waitForResult } from '../wait-for-result.ts'
import { describeBriefly, describePost } from '../words/describe-post.ts'

export const getPost = defineTool({
  name: 'get_post',
  title: 'Look at a post',
  description: 'The state of one post and the result of each account; with `detail` also its whole text.',
  needs: 'read',
  hints: readOnly,
  input: Type.Object(
    {
      id: PostId,
      detail: Type.Optional(Type.Boolean()),
      waitSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 25, description: 'Wait for the result for so long' })),
    },
    { additionalProperties: false },
  ),
  output: describedPost,
  async run({ id, detail = false, waitSeconds = 0 }, { desk: { carillon, workspace, links }, signal }) {
    const post = await waitForResult(carillon.content, id, { waitSeconds, signal })
    return describePost(post, { timezone: workspace.timezone, links, detail })
  },
})

const statuses = ['draft', 'scheduled', 'queued', 'publishing', 'completed', 'partial_failure', 'failed'] as const

export const listPosts = defineTool({
  name: 'list_posts',
  title: 'List posts',
  description: 'Posts, newest first, with their state and the beginning of their text. Not for one post: use get_post.',
  needs: 'read',
  hints: readOnly,
  input: Type.Object(
    {
      status: Type.Optional(Type.Array(Type.Enum([...statuses]))),
      account: Type.Optional(Type.String({ description: 'A slug' })),
      from: Type.Optional(Type.String({ description: 'A date' })),
      to: Type.Optional(Type.String({ description: 'A date' })),
      search: Type.Optional(Type.String()),
      soonestFirst: Type.Optional(Type.Boolean({ description: 'By their time' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 25 })),
      cursor: Type.Optional(Type.String({ description: 'nextCursor of the page before' })),
    },
    { additionalProperties: false },
  ),
  output: {
    posts: Type.Array(Type.Object({ id: Type.String(), state: Type.String(), untrustedExcerpt: Type.String() })),
    nextCursor: Type.Optional(Type.String()),
  },
  async run({ status, account, soonestFirst = false, limit = 10, ...filters }, { desk: { carillon, workspace, links } }) {
    const { data, meta } = await carillon.content.list({
      ...filters,
      limit,
      ...(status && status.length > 0 && { status: status.join(',') }),
      ...(account !== undefined && { connection: account }),
      ...(soonestFirst && { sort: 'scheduledAt' }),
    })
    return {
      summary: `${data.length} of ${meta.total} posts.${meta.nextCursor === null ? '' : ' There are more: call again with cursor.'}`,
      posts: data.map((post) => describeBriefly(post, { timezone: workspace.timezone, links })),
      ...(meta.nextCursor !== null && { nextCursor: meta.nextCursor }),
    }
  },
})
