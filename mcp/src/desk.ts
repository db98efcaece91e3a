import { createCarillon, type Carillon, type Workspace } from '@carillon/sdk'
import { linksOf, type Links } from './links.ts'
import { ToolError } from './words/describe-error.ts'

/** What every tool works with: the API under the person's key, in one workspace. */
export type Desk = { carillon: Carillon; workspace: Workspace; links: Links }

export type DeskOptions = {
  /** The address that people open, without a slash at its end. */
  origin: string
  apiKey: string
  /** Null if the key has access to one workspace only, which is then used. */
  workspaceId: string | null
  /** How requests reach the API, if not over the network. It fails at once or not at all, so nothing is sent again. */
  fetch?: (request: Request) => Promise<Response>
}

/** A call in the same process may wait for a file that is fetched from far away. */
const inProcess = { retries: 0, timeoutMs: 280_000 }

/** A client may run for weeks, and a person may change the time zone of the workspace meanwhile. */
const keptMs = 60_000

/** Opens the desk at the first call and keeps it for a minute. A failure is not kept: the next call tries again. */
export function createDesk(options: DeskOptions): () => Promise<Desk> {
  let kept: { desk: Promise<Desk>; untilMs: number } | null = null
  return () => {
    if (kept === null || Date.now() > kept.untilMs) {
      const desk = openDesk(options)
      kept = { desk, untilMs: Date.now() + keptMs }
      desk.catch(() => {
        kept = null
      })
    }
    return kept.desk
  }
}

async function openDesk({ origin, apiKey, workspaceId, fetch }: DeskOptions): Promise<Desk> {
  const options = { baseUrl: `${origin}/api`, apiKey, ...(fetch && { fetch, ...inProcess }) }
  const workspace =
    workspaceId === null
      ? pickOnly(await createCarillon(options).workspaces.list({ limit: 2 }))
      : await createCarillon(options).workspaces.get(workspaceId)
  return { carillon: createCarillon({ ...options, workspaceId: workspace.id }), workspace, links: linksOf(origin, workspace.id) }
}

function pickOnly(workspaces: readonly Workspace[]): Workspace {
  const [workspace, ...others] = workspaces
  if (workspace === undefined || others.length > 0)
    throw new ToolError(
      'workspace_unknown',
      `The API key has access to ${workspaces.length === 0 ? 'no workspace' : 'several workspaces'}.`,
      'A person must put the id of the workspace into CARILLON_WORKSPACE_ID in the settings of this MCP server.',
    )
  return workspace
}
