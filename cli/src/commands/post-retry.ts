import { randomUUID } from 'node:crypto'
import { UsageError } from '../cli-error.ts'
import { defineCommand } from '../line/command.ts'
import { optionalText, texts } from '../line/option.ts'
import { describePost, exitCodeOf } from '../output/describe-post.ts'
import { openSession, sessionOptions } from '../profiles/open-session.ts'
import { withKey } from '../with-key.ts'
import { readWaitMs, waitForResult, waitOptions } from '../wait-for-result.ts'

export const postRetry = defineCommand({
  details:
    'Sends a post again on the accounts where it failed. What was published is not sent again, nor is what is unconfirmed: that may be published, ' +
    'and only a person can look.',
  examples: [
    'carillon post retry 6737a1f09b1e8a0012ab3501 --wait',
    'carillon post retry 6737a1f09b1e8a0012ab3501 --account tower-news',
  ],
  words: { placeholder: 'ID', about: 'The id of the post.', min: 1, max: 1 },
  options: {
    account: texts({ placeholder: 'SLUG', about: 'Only this account of the post; can be given several times.' }),
    'idempotency-key': optionalText({ placeholder: 'KEY', about: 'The key of an earlier call, to repeat that same call.' }),
    ...waitOptions,
    ...sessionOptions,
  },
  async run({ account, 'idempotency-key': given, ...values }, [id = ''], { terminal }) {
    const waitMs = readWaitMs(values)
    const { carillon } = await openSession(values, terminal.env)
    const { content } = carillon
    const { channels } = account.length === 0 ? { channels: [] } : await content.get(id)
    const chosen = account.map(({ text }) => {
      const channel = channels.find(({ connection }) => connection === text)
      if (!channel)
        throw new UsageError(
          `The post has no account ${text}. It has ${channels.map(({ connection }) => connection).join(', ')}.`,
        )
      return channel.id
    })
    const idempotencyKey = given ?? `cli-${randomUUID()}`
    const retried = await withKey(idempotencyKey, terminal, () =>
      content.retry(id, chosen.length > 0 ? { channels: chosen } : {}, { idempotencyKey }),
    )
    const post = waitMs === null ? retried : await waitForResult(content, id, waitMs)
    return {
      data: { ...post, idempotencyKey },
      text: describePost(post, terminal),
      ...(waitMs !== null && { code: exitCodeOf(post) }),
    }
  },
})
