import { CarillonError, type Carillon, type Post } from '@carillon/sdk'
import { Type } from 'typebox'
import { createPost, keyOf } from '../create-post.ts'
import type { Desk } from '../desk.ts'
import { hasContent, postFields, toPostBody, type PostBody } from '../post-input.ts'
import { defineTool, describedPost, type Answer } from '../tool.ts'
import { ToolError } from '../words/describe-error.ts'
import { describePost } from '../words/describe-post.ts'
import { scheduleFields } from '../words/times.ts'
import { waitForResult } from '../wait-for-result.ts'

const waitSecondsDefault = 15

export const publishPost = defineTool({
  name: 'publish_post',
  title: 'Publish or schedule a post',
  description:
    'Publishes now or schedules: the draft `id`, or new content. Only after the person said yes to this text, these accounts and this time. ' +
    'A repeated call makes no second post. Returns the result of each account. Not for failed posts: use retry_post.',
  needs: 'publish',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: Type.Object(
    {
      id: Type.Optional(Type.String({ pattern: '^[0-9a-f]{24}$', description: 'Id of a draft; then no other content' })),
      ...postFields,
      when: Type.String({ description: '"now", or a wall time of the workspace such as 2027-03-28T09:00' }),
      sameTextAgain: Type.Optional(Type.Boolean({ description: 'Only if the person wants the same text a second time' })),
    },
    { additionalProperties: false },
  ),
  output: describedPost,
  async run({ id, when, sameTextAgain = false, ...input }, { desk, signal }) {
    const time = when.trim().toLowerCase() === 'now' ? null : scheduleFields(when, desk.workspace.timezone)
    if (id !== undefined && hasContent(input))
      throw new ToolError(
        'id_and_content',
        'Give the id of a draft or new content, not both.',
        'To change a draft, call save_draft with its id first, then publish_post with the id alone.',
      )
    if (id !== undefined) return publishDraft(id, time, { desk, signal })
    const body = { ...(await toPostBody(input, desk.carillon.media)), ...time }
    const existing = sameTextAgain ? null : await findSameText(desk.carillon.content, body)
    if (existing) return alreadyThere(existing, desk)
    return publishNew(body, sameTextAgain, { desk, signal })
  },
})

type Call = { desk: Desk; signal: AbortSignal }
type Time = ReturnType<typeof scheduleFields> | null

async function publishNew(body: PostBody, isAgain: boolean, { desk, signal }: Call): Promise<Answer> {
  const { content } = desk.carillon
  const { timezone } = desk.workspace
  const made = await createPost(content, body, keyOf(isAgain ? 'publish_post again' : 'publish_post', body))
  const id = 'uploadId' in made ? made.uploadId : ''
  const post = await waitForResult(content, id, { waitSeconds: waitSecondsDefault, signal }).catch((error: unknown) => {
    // A key is answered for 24 hours, also after its post was deleted. Deleting it here may have left it on the platforms.
    if (error instanceof CarillonError && error.code === 'post_not_found')
      throw new ToolError(
        'deleted_since',
        'This same post was created in the last 24 hours and deleted in Carillon since. Nothing was sent now; it may still be on the platforms.',
        'Ask the person to look at the accounts. If they want it again, call with sameTextAgain: true.',
      )
    throw error
  })
  return describePost(post, { timezone, links: desk.links })
}

/** A draft becomes a post once: what is no draft any more is reported as it is. */
async function publishDraft(id: string, time: Time, { desk, signal }: Call): Promise<Answer> {
  const { content } = desk.carillon
  const draft = await content.get(id)
  const isBroughtForward = draft.status === 'scheduled' && time === null
  if (draft.status !== 'draft' && !isBroughtForward) return alreadyThere(draft, desk)
  await (isBroughtForward ? content.publishNow(id) : release(draft, time, content)).catch((error: unknown) => {
    // Another call, or the one whose answer was lost, has published it.
    if (!(error instanceof CarillonError && (error.code === 'not_a_draft' || error.code === 'not_scheduled'))) throw error
  })
  const post = await waitForResult(content, id, { waitSeconds: waitSecondsDefault, signal })
  return describePost(post, { timezone: desk.workspace.timezone, links: desk.links })
}

/** Publishes the draft as it was read: if somebody changed it in the meantime, the person has not said yes to it. */
async function release(draft: Post, time: Time, content: Carillon['content']): Promise<void> {
  const { uploadId, scheduledAt, updatedAt } = draft
  const isSameTime = time === null && scheduledAt === null
  const planned = isSameTime ? draft : await content.update(uploadId, time ?? { scheduledAt: null }, { ifUpdatedAt: updatedAt })
  await content.publish(uploadId, { ifUpdatedAt: planned.updatedAt })
}

function alreadyThere(post: Post, { workspace, links }: Desk): Answer {
  const described = describePost(post, { timezone: workspace.timezone, links })
  return {
    ...described,
    summary: `ALREADY THERE, nothing was sent now. ${described.summary}`,
    next: `${described.next} If the person really wants the same text a second time, call with sameTextAgain: true; another time for a scheduled post: change_schedule.`,
  }
}

const dayMs = 86_400_000
const openOrDone: ReadonlySet<string> = new Set(['success', 'unconfirmed', 'pending', 'publishing'])

/**
 * A post of the last 24 hours that has the same text on one of the accounts, and has not failed there. It stops a model that reports a failure
 * after a success and publishes again with another time or by another way, which has another key.
 */
async function findSameText(content: Carillon['content'], { text = '', connections }: PostBody): Promise<Post | null> {
  const wanted = fold(text)
  const [line = ''] = text.split('\n').toSorted((a, b) => b.length - a.length)
  const search = line.trim().slice(0, 100)
  if (search === '' || connections.length === 0) return null
  const { data } = await content.list({ search, connection: connections.join(','), archived: 'any', limit: 50 })
  const isSame = (post: Post) =>
    post.status !== 'draft' &&
    Date.parse(post.createdAt) > Date.now() - dayMs &&
    fold(post.text ?? '') === wanted &&
    post.channels.some(({ connection, result }) => connections.includes(connection) && openOrDone.has(result.status))
  return data.find(isSame) ?? null
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
}
