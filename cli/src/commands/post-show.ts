import { defineCommand } from '../line/command.ts'
import { describePost, exitCodeOf } from '../output/describe-post.ts'
import { openSession, sessionOptions } from '../profiles/open-session.ts'
import { readWaitMs, waitForResult, waitOptions } from '../wait-for-result.ts'

export const postShow = defineCommand({
  details:
    'Prints the state of a post, its text, and the result of each account. With --wait, the exit code tells whether it was published everywhere.',
  examples: ['carillon post show 6737a1f09b1e8a0012ab3501', 'carillon post show 6737a1f09b1e8a0012ab3501 --wait'],
  words: { placeholder: 'ID', about: 'The id of the post.', min: 1, max: 1 },
  options: { ...waitOptions, ...sessionOptions },
  async run(values, [id = ''], { terminal }) {
    const waitMs = readWaitMs(values)
    const { carillon } = await openSession(values, terminal.env)
    const post = waitMs === null ? await carillon.content.get(id) : await waitForResult(carillon.content, id, waitMs)
    const text = describePost(post, terminal, { hasText: true })
    return { data: post, text, ...(waitMs !== null && { code: exitCodeOf(post) }) }
  },
})
