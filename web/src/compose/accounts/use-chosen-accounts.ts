import type { Capabilities, Connection, PlatformInfo } from '@carillon/sdk'
import { useQueries } from '@tanstack/react-query'
import { connectionsCapabilities } from '../../api/queries.gen.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import type { Account } from '../state/findings.ts'

/** A platform that did not answer in time is asked again. The server leaves it alone for ten seconds. */
const askAgainMs = 12_000

type Known = { connections: readonly Connection[]; platforms: readonly PlatformInfo[] }

/**
 * The chosen accounts with their rules. What an account may do is asked when it is chosen; until the answer is there, and if there is none,
 * the rules are those of its platform. An account that was removed in the meantime is left out; the server names it.
 */
export function useChosenAccounts(workspaceId: string, slugs: readonly string[], { connections, platforms }: Known): Account[] {
  const { utm: linkRule = null } = useWorkspace()
  const chosen = slugs.flatMap((slug) => connections.find((each) => each.slug === slug) ?? [])
  const answers = useQueries({
    queries: chosen.map(({ id }) => ({
      ...connectionsCapabilities(workspaceId, id),
      retry: false,
      refetchInterval: ({ state }: { state: { data?: Capabilities | undefined } }) =>
        state.data?.isCurrent === false ? askAgainMs : false,
    })),
  })
  return chosen.flatMap((connection, at) => {
    const platform = platforms.find((each) => each.platform === connection.platform)
    const capabilities = answers[at]?.data ?? null
    if (!platform) return []
    return [{ slug: connection.slug, connection, platform: withOwnRules(platform, capabilities), capabilities, linkRule }]
  })
}

function withOwnRules(platform: PlatformInfo, capabilities: Capabilities | null): Account['platform'] {
  if (capabilities === null) return platform
  const { formats, text, photos, video, altText, can, choices } = capabilities
  return { ...platform, formats, text, photos, video, altText, can, choices }
}
