import type { Findings } from './verify.ts'
import type { Violation } from './violation.ts'

/** A first comment is out once, or the channel's warnings say why not. Nothing is dropped in silence. */
export function verifyComments({ stories, posts, shown, accounts }: Findings): Violation[] {
  return stories.flatMap((story) =>
    story.plan.slots.flatMap((slot): Violation[] => {
      if (story.comment === null) return []
      const { platform, handle, slug } = accounts.of(slot)
      const out = shown.filter((each) => each.platform === platform && each.handle === handle && each.text === story.comment)
      if (out.length > 1) return [{ kind: 'doubled', text: story.comment, detail: `${slug}: commented ${out.length} times` }]
      const channel = posts.find(({ text }) => text === story.text)?.channels.find(({ connection }) => connection === slug)
      if (channel?.status !== 'success' || out.length === 1) return []
      const isExcused = channel.warnings.some((warning) => /comment/i.test(warning))
      return isExcused
        ? []
        : [{ kind: 'comment', text: story.text, detail: `${slug}: the first comment is missing and no warning says so` }]
    }),
  )
}
