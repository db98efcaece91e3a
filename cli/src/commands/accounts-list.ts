import { defineCommand } from '../line/command.ts'
import { cleanText } from '../output/clean-text.ts'
import { printTable, type Cell } from '../output/print-table.ts'
import { openSession, sessionOptions } from '../profiles/open-session.ts'

export const accountsList = defineCommand({
  details: 'Prints the accounts of the workspace with their slugs, which --to takes. New ones are connected in the web app.',
  examples: ['carillon accounts list', 'carillon accounts list --json'],
  options: sessionOptions,
  async run(values, _words, { terminal }) {
    const { carillon, workspaceId } = await openSession(values, terminal.env)
    const connections = await carillon.workspaces.connections(workspaceId)
    const rows = connections.map(({ slug, platform, status, displayName, statusReason }): Cell[] => [
      cleanText(slug),
      platform,
      status === 'active' ? { text: status, color: 'green' } : { text: status, color: 'red' },
      cleanText([displayName, statusReason].filter(Boolean).join(': ')),
    ])
    const text =
      rows.length === 0
        ? 'No accounts. Connect one in the web app.'
        : printTable(['SLUG', 'PLATFORM', 'STATUS', 'NAME'], rows, terminal)
    return { data: connections, text }
  },
})
