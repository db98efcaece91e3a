import type { Findings } from './verify.ts'
import type { Violation } from './violation.ts'

/** A first comment must be published once, or the channel's warnings must say why it was not. */
export function verifyComments({ expectedPosts, posts, platformPosts, accounts }: Findings): Violation[] {
  return expectedPosts.flatMap((expected) =>
    expected.plan.slots.flatMap((slot): Violation[] => {
      if (expected.comment === null) return []
      const { platform, handle, slug } = accounts.of(slot)
      const out = platformPosts.filter(
        (each) => each.platform === platform && each.handle === handle && each.text === expected.comment,
      )
      if (out.length > 1) return [{ kind: 'doubled', text: expected.comment, detail: `${slug}: commented ${out.length} times` }]
      const channel = posts.find(({ text }) => text === expected.text)?.channels.find(({ connection }) => connection === slug)
      if (channel?.status !== 'success' || out.length === 1) return []
      const isExplained = channel.warnings.some((warning) => /comment/i.test(warning))
      return isExplained
        ? []
        : [{ kind: 'comment', text: expected.text, detail: `${slug}: the first comment is missing and no warning says so` }]
    }),
  )
}
