import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { workspacesAuditPages } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { isDay, spanOfDays } from '../../time/zoned-day.ts'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'
import { useAccess } from '../use-access.ts'
import { AuditFilters, type AuditSearch } from './audit-filters.tsx'
import { AuditTable } from './audit-table.tsx'

/** Who changed what, and when. */
export function AuditSection() {
  const { t } = useTranslation('settings')
  const { isAdmin } = useAccess()
  return isAdmin ? <AuditLog /> : <Notice title={t('audit.onlyAdmins')} />
}

function AuditLog() {
  const { t } = useTranslation('settings')
  const { workspaceId } = useAccess()
  const { zone } = useTimeStyle()
  const { action, person, from, to } = useSearch({ strict: false })
  const search: AuditSearch = {
    ...(action !== undefined && { action }),
    ...(person !== undefined && { person }),
    // An address may hold anything.
    ...(from !== undefined && isDay(from) && { from }),
    ...(to !== undefined && isDay(to) && { to }),
  }
  const navigate = useNavigate()
  const change = (part: Partial<AuditSearch>) =>
    void navigate({
      to: '/w/$workspaceId/settings/$section',
      params: { workspaceId, section: 'audit' },
      search: Object.fromEntries(Object.entries({ ...search, ...part }).filter(([, value]) => value !== '')),
      replace: true,
      resetScroll: false,
    })
  const query = useInfiniteQuery(
    workspacesAuditPages(workspaceId, {
      ...(action !== undefined && { action }),
      ...(person !== undefined && { userId: person }),
      // The server takes a day for one of UTC; a person means a day of the workspace.
      ...(search.from !== undefined && { from: spanOfDays(zone, [search.from]).from }),
      ...(search.to !== undefined && { to: spanOfDays(zone, [search.to]).to }),
    }),
  )
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <>
      <p className="max-w-[68ch] text-quiet">{t('audit.text')}</p>
      <AuditFilters search={search} onChange={change} />
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <SkeletonLines label={t('loading')} count={6} />}
      {query.isSuccess && entries.length === 0 && (
        <EmptyState
          title={t('audit.empty')}
          actions={<Button onClick={() => change({ action: '', person: '', from: '', to: '' })}>{t('audit.showAll')}</Button>}
        />
      )}
      {entries.length > 0 && <AuditTable entries={entries} />}
      {query.hasNextPage && (
        <Button className="self-center" isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('audit.more')}
        </Button>
      )}
    </>
  )
}
