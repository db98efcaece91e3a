import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { tabLook } from '../ui/tabs.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import type { PostsSearch } from './posts-search.ts'

const tabs = [
  { name: 'all' },
  { name: 'drafts', status: 'draft' },
  { name: 'waiting', approval: 'pending' },
  { name: 'scheduled', status: 'scheduled,queued,publishing' },
  { name: 'published', status: 'completed' },
  { name: 'attention', status: 'failed,partial_failure' },
  { name: 'archived', archived: true },
] as const

/** The usual choices as links: each has an address. The other filters stay. */
export function PostTabs({ search }: { search: PostsSearch }) {
  const { t } = useTranslation('list')
  const { id: workspaceId, approval } = useWorkspace()
  const { status: _status, archived: _archived, approval: _approval, ...filter } = search
  const shown = tabs.filter(({ name }) => name !== 'waiting' || approval !== 'none')
  return (
    <nav aria-label={t('tabs.label')} className="flex gap-1 overflow-x-auto border-b border-line">
      {shown.map((tab) => {
        const own = {
          ...('status' in tab && { status: tab.status }),
          ...('archived' in tab && { archived: tab.archived }),
          ...('approval' in tab && { approval: tab.approval }),
        }
        return (
          <Link
            key={tab.name}
            to="/w/$workspaceId/posts"
            params={{ workspaceId }}
            search={{ ...filter, ...own }}
            // The router marks the current one; without this, every tab whose search is a part of the address would be.
            activeOptions={{ exact: true, includeSearch: true }}
            className={tabLook}
          >
            {t(`tabs.${tab.name}`)}
          </Link>
        )
      })}
    </nav>
  )
}
