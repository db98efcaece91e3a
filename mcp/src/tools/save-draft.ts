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
    'Saves a new draft, or changes the draft `id`: fields that are left out stay. Publishes nothing. The same new draft within 24 hours is saved once.',
  needs: 'draft',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: Type.Object(
    {
      id: Type.Optional(PostId),
      ...postFields,
      when: Type.Optional(Type.String({ description: 'Planned wall time, such as 2027-03-28T09:00' })),
    },
    { additionalProperties: false },
  ),
  output: describedPost,
  async run({ id, when, ...input }, { desk: { carillon, workspace, links } }) {
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
      return describePost(await content.update(id, change), { timezone: workspace.timezone, links })
    }
    const body = { type, connections, ...fields, ...time, saveDraft: true }
    const made = await createPost(content, body, keyOf('save_draft', body))
    const post = await content.get('draftId' in made ? made.draftId : made.requestId)
    return describePost(post, { timezone: workspace.timezone, links })
  },
})
