import { Type } from 'typebox'
import { defineTool, describedPost, PostId } from '../tool.ts'
import { describePost } from '../words/describe-post.ts'
import { scheduleFields } from '../words/times.ts'

export const changeSchedule = defineTool({
  name: 'change_schedule',
  title: 'Move or stop a scheduled post',
  description:
    'Moves a scheduled post to another time, or takes it out of the schedule as a draft, after which its text can be changed. Not for published posts.',
  needs: 'publish',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: Type.Object(
    {
      id: PostId,
      when: Type.String({ description: 'A wall time of the workspace such as 2027-03-28T09:00, or "draft"' }),
    },
    { additionalProperties: false },
  ),
  output: describedPost,
  async run({ id, when }, { desk: { carillon, workspace, links } }) {
    const isDraft = when.trim().toLowerCase() === 'draft'
    const current = await carillon.content.get(id)
    const view = { timezone: workspace.timezone, links }
    // The repeat of a call whose answer was lost finds what it wanted.
    if (isDraft && current.status === 'draft') return describePost(current, view)
    const post = isDraft
      ? await carillon.content.unschedule(id)
      : await carillon.content.reschedule(id, scheduleFields(when, workspace.timezone))
    return describePost(post, view)
  },
})
