import { defineCommand } from '../line/command.ts'
import { optionalChoice, optionalText, optionalNumber } from '../line/option.ts'
import { listMedia } from '../output/list-media.ts'
import { openSession, sessionOptions } from '../profiles/open-session.ts'

export const mediaList = defineCommand({
  details: 'Prints files of the media library with their ids, which post create --media takes.',
  examples: ['carillon media list', 'carillon media list --type image --search tower'],
  options: {
    type: optionalChoice({ values: ['image', 'video', 'document'], about: 'Only files of this type.' }),
    search: optionalText({ placeholder: 'TEXT', about: 'Only files with this in their name.' }),
    limit: optionalNumber({ placeholder: 'N', min: 1, max: 100, about: 'How many. Without it: 20.' }),
    cursor: optionalText({ placeholder: 'CURSOR', about: 'Go on where a list ended.' }),
    ...sessionOptions,
  },
  async run({ type, search, limit, cursor, ...wanted }, _words, { terminal }) {
    const { carillon } = await openSession(wanted, terminal.env)
    const page = await carillon.media.list({
      limit: limit ?? 20,
      ...(type !== null && { type }),
      ...(search !== null && { search }),
      ...(cursor !== null && { cursor }),
    })
    const more = page.nextCursor === null ? '' : `\n${page.results.length} of ${page.total}. More: --cursor ${page.nextCursor}`
    return { data: page, text: listMedia(page.results, terminal) + more }
  },
})
