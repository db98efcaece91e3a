import type { Carillon, Post } from '@carillon/sdk'
import { Type } from 'typebox'
import { createPost, keyOf } from '../create-post.ts'
import { postFields, toPostBody } from '../post-input.ts'
import { defineTool, describedPost, PostId } from '../tool.ts'
import { describePost } from '../words/describe-post.ts'
import { scheduleFields } from '../words/times.ts'

export const saveDraft = defineTool({
  name: 'save_draft',
  title: 'Save a draft',
  description:
    'Saves a new draft, or changes the draft `id`: fields that are left out stay. Publishes nothing; with `submit` it waits for the approval of a person. The same new draft within 24 hours is saved once.',
  needs: 'draft',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: Type.Object(
    {
      id: Type.Optional(PostId),
      ...postFields,
      submit: Type.Optional(Type.Boolean({ description: 'Ask a person to approve it. Returns the page for that' })),
      when: Type.Optional(Type.String({ description: 'Planned wall time, such as 2027-03-28T09:00' })),
    },
    { additionalProperties: false },
  ),
  output: describedPost,
  async run({ id, when, submit = false, ...input }, { desk: { carillon, workspace, links } }) {
    const { content, media } = carillon
    const { type, connections, ...fields } = await toPostBody(input, media)
    const time = when === undefined ? {} : scheduleFields(when, workspace.timezone)
    if (id !== undefined) {
      const change = {
        ...fields,
        ...time,
        ...(input.accounts && { connections }),
        ...(input.media && { type, medias: fields.medias ?? [] }),
      }
      const isChanged = Object.keys(change).length > 0
      const draft = isChanged || !submit ? await content.update(id, change) : await content.get(id)
      return describePost(submit ? await submitOnce(content, draft) : draft, { timezone: workspace.timezone, links })
    }
    const body = { type, connections, ...fields, ...time, saveDraft: true }
    const made = await createPost(content, body, keyOf('save_draft', body))
    const post = await content.get('draftId' in made ? made.draftId : made.requestId)
    return describePost(submit ? await submitOnce(content, post) : post, { timezone: workspace.timezone, links })
  },
})

/** What waits already is not submitted again: its approvers would look at it twice. A draft that somebody changed meanwhile is refused. */
async function submitOnce(content: Carillon['content'], draft: Post): Promise<Post> {
  if (draft.status !== 'draft' || draft.approval?.state === 'pending') return draft
  const { approval } = await content.submit(draft.uploadId, {}, { ifUpdatedAt: draft.updatedAt })
  const post = await content.get(draft.uploadId)
  // Only this response has the link for the person.
  return approval?.link && post.approval ? { ...post, approval: { ...post.approval, link: approval.link } } : post
}
