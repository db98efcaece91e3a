import { defineCommand } from '../line/command.ts'
import { describePost } from '../output/describe-post.ts'
import { openSession, sessionOptions } from '../profiles/open-session.ts'

export const postCancel = defineCommand({
  details: 'Takes a scheduled post out of the schedule. It becomes a draft and is not published.',
  examples: ['carillon post cancel 6737a1f09b1e8a0012ab3501'],
  words: { placeholder: 'ID', about: 'The id of the post.', min: 1, max: 1 },
  options: sessionOptions,
  async run(values, [id = ''], { terminal }) {
    const { carillon } = await openSession(values, terminal.env)
    const post = await carillon.content.unschedule(id)
    return { data: post, text: `Canceled: it is a draft now.\n${describePost(post, terminal)}` }
  },
})
