import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { workspacesAttention } from '../api/queries.gen.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'

const countMax = 99

/** On a phone: how much needs attention, as a number on a tile of the bar. */
export function AttentionCount({ of }: { of: 'posts' | 'accounts' }) {
  const { t } = useTranslation('shell')
  const { id: workspaceId } = useWorkspace()
  const { data } = useQuery(workspacesAttention(workspaceId))
  if (!data) return null
  const { posts, needsReconnect, expiring } = data
  const count = of === 'posts' ? posts.failed + posts.unconfirmed + posts.late : needsReconnect + expiring
  if (count === 0) return null
  return (
    <span className="figures absolute top-1 left-1/2 ml-1.5 min-w-5 rounded-full bg-rust px-1 text-center text-2xs leading-5 font-medium text-on-rust">
      {count > countMax ? `${countMax}+` : count}
      <span className="sr-only">{` ${t('attention.title')}`}</span>
    </span>
  )
}
