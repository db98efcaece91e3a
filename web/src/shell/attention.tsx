import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleHelp, Clock, Plug } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { workspacesAttention } from '../api/queries.gen.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'

/** What waits for a person, on every page. It shows nothing when there is nothing. */
export function Attention() {
  const { t } = useTranslation('shell')
  const { id: workspaceId } = useWorkspace()
  const { data } = useQuery(workspacesAttention(workspaceId))
  if (!data) return null
  const { needsReconnect, expiring } = data
  const { failed, unconfirmed, late } = data.posts
  if (failed + unconfirmed + needsReconnect + expiring + late === 0) return null
  const toPosts = (status: string, icon: ReactNode, text: string) => (
    <Link to="/w/$workspaceId/posts" params={{ workspaceId }} search={{ status }} className={rowLook} activeProps={{}}>
      {icon}
      {text}
    </Link>
  )
  const toAccounts = (text: string, tone: string) => (
    <Link to="/w/$workspaceId/integrations" params={{ workspaceId }} className={rowLook} activeProps={{}}>
      <Plug aria-hidden className={tone} />
      {text}
    </Link>
  )
  return (
    <section aria-label={t('attention.title')} className="flex flex-col gap-0.5 border-t border-line pt-3">
      <h2 className="px-2.5 pb-1 text-xs font-medium text-quiet">{t('attention.title')}</h2>
      {failed > 0 &&
        toPosts(
          'failed,partial_failure',
          <CircleAlert aria-hidden className="text-rust" />,
          t('attention.failed', { count: failed }),
        )}
      {unconfirmed > 0 &&
        toPosts(
          'failed,partial_failure',
          <CircleHelp aria-hidden className="text-plum" />,
          t('attention.unconfirmed', { count: unconfirmed }),
        )}
      {late > 0 &&
        toPosts(
          'scheduled,queued,publishing',
          <Clock aria-hidden className="text-straw" />,
          t('attention.late', { count: late }),
        )}
      {needsReconnect > 0 && toAccounts(t('attention.needsReconnect', { count: needsReconnect }), 'text-rust')}
      {expiring > 0 && toAccounts(t('attention.expiring', { count: expiring }), 'text-straw')}
    </section>
  )
}

const rowLook = [
  'flex min-h-8 items-center gap-2.5 rounded-control px-2.5 text-sm text-ink no-underline transition-colors hover:bg-hover',
  '[&_svg]:size-4 [&_svg]:shrink-0 pointer-coarse:min-h-11',
].join(' ')
