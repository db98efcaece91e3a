import { UsageError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { defineCommand } from '../line/command.ts'
import { flag } from '../line/option.ts'
import { cleanText } from '../output/clean-text.ts'
import { openSession, sessionOptions } from '../profiles/open-session.ts'

export const postDelete = defineCommand({
  details:
    'Deletes a post in Carillon for good; a scheduled one is not published. What is on the platforms stays there, unless --unpublish is given. ' +
    'On a terminal it asks first.',
  examples: ['carillon post delete 6737a1f09b1e8a0012ab3501', 'carillon post delete 6737a1f09b1e8a0012ab3501 --unpublish --yes'],
  words: { placeholder: 'ID', about: 'The id of the post.', min: 1, max: 1 },
  options: {
    unpublish: flag({ about: 'Delete it on the platforms too, where they support that.' }),
    yes: flag({ about: 'Do not ask. Needed where nobody can be asked.' }),
    ...sessionOptions,
  },
  async run({ unpublish, yes, ...wanted }, [id = ''], { terminal }) {
    const where = unpublish ? 'in Carillon and on the platforms' : 'in Carillon'
    if (!yes && !terminal.isInteractive) throw new UsageError('Nobody can be asked here. Add --yes to delete the post.')
    const { carillon } = await openSession(wanted, terminal.env)
    if (!yes) {
      const { text } = await carillon.content.get(id)
      terminal.note(cleanText(text ?? ''))
      if (!/^y(?:es)?$/i.test(await terminal.ask(`Delete it ${where}? (y/n) `))) throw new UsageError('Not deleted.')
    }
    const removed = await carillon.content.remove(id, unpublish ? { unpublish: 'true' } : {})
    const channels = removed?.channels ?? []
    const lines = channels.map(({ connection, outcome, message }) => cleanText(`${connection}: ${outcome} ${message ?? ''}`))
    const isLeft = channels.some(({ outcome }) => outcome === 'failed' || outcome === 'not_supported')
    return {
      data: removed,
      text: [`Deleted ${id} in Carillon.`, ...lines].join('\n'),
      code: isLeft ? exitCodes.notPublished : exitCodes.ok,
    }
  },
})
