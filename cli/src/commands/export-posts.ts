import { defineCommand } from '../line/command.ts'
import { optionalChoice, optionalText } from '../line/option.ts'
import { openSession, sessionOptions } from '../profiles/open-session.ts'

export const exportPosts = defineCommand({
  details: 'Prints the posts as a file that carillon import reads: one JSON object a line, or CSV.',
  examples: ['carillon export > posts.jsonl', 'carillon export --format csv --status scheduled > posts.csv'],
  options: {
    format: optionalChoice({ values: ['jsonl', 'csv'], about: 'The form of the file. Without it: jsonl.' }),
    status: optionalText({ placeholder: 'STATUS', about: 'Only posts in this status; several with commas.' }),
    from: optionalText({ placeholder: 'DATE', about: 'Only posts of this day or later.' }),
    to: optionalText({ placeholder: 'DATE', about: 'Only posts of this day or earlier.' }),
    ...sessionOptions,
  },
  async run({ format, profile, workspace, ...filters }, _words, { terminal }) {
    const { carillon } = await openSession({ profile, workspace }, terminal.env)
    const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null))
    const text = format === 'csv' ? await carillon.exports.csv(given) : await carillon.exports.lines(given)
    return { data: text, text: text.trimEnd() }
  },
})
