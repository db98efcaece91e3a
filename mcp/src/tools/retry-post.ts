import { Type } from 'typebox'
import { keyOf } from '../create-post.ts'
import { defineTool, describedPost, PostId } from '../tool.ts'
import { waitForResult } from '../wait-for-result.ts'
import { ToolError } from '../words/describe-error.ts'
import { describePost } from '../words/describe-post.ts'

const waitSeconds = 15

export const retryPost = defineTool({
  name: 'retry_post',
  title: 'Send a failed post again',
  description:
    'Sends a post again on the accounts where it failed, and only there. What is UNKNOWN is never sent again. Not for a post whose text must change.',
  needs: 'publish',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: Type.Object(
    { id: PostId, accounts: Type.Optional(Type.Array(Type.String(), { description: 'Only these slugs' })) },
    { additionalProperties: false },
  ),
  output: describedPost,
  async run({ id, accounts }, { desk: { carillon, workspace, links }, signal }) {
    const { content } = carillon
    const { channels } = await content.get(id)
    const wanted = accounts ? channels.filter(({ connection }) => accounts.includes(connection)) : channels
    const unknown = wanted.filter(({ result }) => result.status === 'unconfirmed').map(({ connection }) => connection)
    const failed = wanted.filter(
      ({ result }) => result.status === 'failed' || (result.status === 'success' && result.comment === 'failed'),
    )
    if (unknown.length > 0 && (accounts !== undefined || failed.length === 0))
      throw new ToolError(
        'outcome_unknown',
        `The post may be published on ${unknown.join(', ')}: the platform's answer was lost. Nothing was sent.`,
        `Do not publish it again by another way. Ask a person to look at the account and to set the outcome at ${links.post(id)}.`,
      )
    const again = failed.map((channel) => channel.id)
    // Without one the API decides, and says why there is nothing to send.
    const body = again.length > 0 ? { channels: again } : {}
    // The number of attempts is part of the key: the repeat of a lost call is the same retry, a later call is another one.
    const attempts = failed.map(({ id: channel, result }) => [channel, result.attempts])
    await content.retry(id, body, { idempotencyKey: keyOf('retry_post', { id, attempts }) })
    return describePost(await waitForResult(content, id, { waitSeconds, signal }), { timezone: workspace.timezone, links })
  },
})
