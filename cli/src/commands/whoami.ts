import { isCarillonError } from '../describe-failure.ts'
import { defineCommand } from '../line/command.ts'
import { cleanText } from '../output/clean-text.ts'
import { openSession, sessionOptions } from '../profiles/open-session.ts'

const shownCharacters = 11

export const whoami = defineCommand({
  details: 'Asks the server whose API key this is, and shows the address, the workspace and where the key comes from.',
  examples: ['carillon whoami', 'carillon whoami --json'],
  options: sessionOptions,
  async run(values, _words, { terminal }) {
    const { carillon, origin, apiKey, workspaceId, source } = await openSession(values, terminal.env)
    const [person, workspace] = await Promise.all([
      carillon.me.get().catch(unlessForbidden),
      carillon.workspaces.get(workspaceId).catch(unlessForbidden),
    ])
    const facts = {
      url: origin,
      person: person && { id: person.id, name: person.name, email: person.email },
      workspace: {
        id: workspaceId,
        name: workspace?.name ?? null,
        role: workspace?.role ?? null,
        timezone: workspace?.timezone ?? null,
      },
      apiKey: `${apiKey.slice(0, shownCharacters)}…`,
      source,
    }
    const lines = [
      `Server     ${origin}`,
      `Person     ${person === null ? 'not known: the API key may not read it' : cleanText(`${person.name} <${person.email}>`)}`,
      `Workspace  ${cleanText([workspaceId, workspace && `${workspace.name} (${workspace.role}, ${workspace.timezone})`].filter(Boolean).join(' '))}`,
      `API key    ${facts.apiKey}, from ${source}`,
    ]
    return { data: facts, text: lines.join('\n') }
  },
})

/** A narrow key may not read these, and is valid all the same. */
function unlessForbidden(error: unknown): null {
  if (isCarillonError(error) && error.code === 'scope_missing') return null
  throw error
}
