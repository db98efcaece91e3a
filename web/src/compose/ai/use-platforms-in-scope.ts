import { useCompose } from '../compose-context.ts'
import type { Account } from '../state/findings.ts'

export type PlatformInScope = Pick<Account['platform'], 'platform' | 'name' | 'text'> & { slugs: readonly string[] }

/** The platforms that the open tab writes for, each once, with its accounts. */
export function usePlatformsInScope(): PlatformInScope[] {
  const { state, accounts } = useCompose()
  const shown = accounts.filter(({ slug }) => state.tab === null || slug === state.tab)
  const byPlatform = Map.groupBy(shown, ({ platform }) => platform.platform)
  return [...byPlatform.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const { platform, name, text } = first.platform
    return [{ platform, name, text, slugs: group.map(({ slug }) => slug) }]
  })
}
