import { defineCommand } from '../line/command.ts'
import { optionalText, optionalNumber } from '../line/option.ts'
import { listPosts } from '../output/describe-post.ts'
import { openSession, sessionOptions } from '../profiles/open-session.ts'

export const postList = defineCommand({
  details:
    'Prints posts with their state and the beginning of their text. A time is that in the zone of the post, or else of this machine.',
  examples: ['carillon post list', 'carillon post list --status failed,partial_failure', 'carillon post list --json | jq .data'],
  options: {
    status: optionalText({
      placeholder: 'STATUS',
      about: 'Only posts in this status; several with commas, such as draft,scheduled.',
    }),
    account: optionalText({ placeholder: 'SLUG', about: 'Only posts for this account; several with commas.' }),
    platform: optionalText({ placeholder: 'NAME', about: 'Only posts for this platform; several with commas.' }),
    search: optionalText({ placeholder: 'TEXT', about: 'Only posts with this in their text or title.' }),
    from: optionalText({ placeholder: 'DATE', about: 'Only posts of this day or later.' }),
    to: optionalText({ placeholder: 'DATE', about: 'Only posts of this day or earlier.' }),
    limit: optionalNumber({ placeholder: 'N', min: 1, max: 100, about: 'How many. Without it: 20.' }),
    cursor: optionalText({ placeholder: 'CURSOR', about: 'Go on where a list ended.' }),
    ...sessionOptions,
  },
  async run({ account, limit, profile, workspace, ...filters }, _words, { terminal }) {
    const { carillon } = await openSession({ profile, workspace }, terminal.env)
    const given = Object.fromEntries(Object.entries({ ...filters, connection: account }).filter(([, value]) => value !== null))
    const page = await carillon.content.list({ ...given, limit: limit ?? 20 })
    const { data, meta } = page
    const more = meta.nextCursor === null ? '' : `\n${data.length} of ${meta.total}. More: --cursor ${meta.nextCursor}`
    return { data: page, text: listPosts(data, terminal) + more }
  },
})
