import { useNavigate, useSearch } from '@tanstack/react-router'
import { Images, Link2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { ChooseFilesButton } from './choose-files-button.tsx'
import { DropArea } from './drop-area.tsx'
import { FetchDialog } from './fetch-dialog.tsx'
import { MediaDialog } from './media-dialog.tsx'
import { MediaFilters } from './media-filters.tsx'
import { MediaGrid, MediaGridSkeleton } from './media-grid.tsx'
import { isFiltered, type MediaSearch } from './media-search.ts'
import { StoppedUploads } from './stopped-uploads.tsx'
import { UploadList } from './upload-list.tsx'
import { useMediaList } from './use-media-list.ts'
import { useUploads } from './use-uploads.ts'

export function MediaPage() {
  const { t } = useTranslation('media')
  const { id: workspaceId, role } = useWorkspace()
  const { search, change } = useMediaSearch()
  const { uploads, add, retry, dismiss } = useUploads(workspaceId)
  const [isFetching, setIsFetching] = useState(false)
  const canChange = role !== 'viewer'
  return (
    <DropArea label={t('drop')} isEnabled={canChange} onFiles={add}>
      <PageHeader
        title={t('title')}
        actions={
          canChange && (
            <>
              <Button icon={<Link2 aria-hidden />} onClick={() => setIsFetching(true)}>
                {t('fetch.open')}
              </Button>
              <ChooseFilesButton onFiles={add} />
            </>
          )
        }
      />
      <UploadList uploads={uploads} onRetry={retry} onDismiss={dismiss} />
      {canChange && <StoppedUploads workspaceId={workspaceId} uploads={uploads} />}
      <MediaFilters workspaceId={workspaceId} search={search} onChange={change} />
      <MediaResults workspaceId={workspaceId} search={search} onChange={change} />
      {search.item !== undefined && (
        <MediaDialog workspaceId={workspaceId} mediaId={search.item} canChange={canChange} onClose={() => change({ item: '' })} />
      )}
      {isFetching && <FetchDialog workspaceId={workspaceId} onClose={() => setIsFetching(false)} />}
    </DropArea>
  )
}

/** The filters in the address. An empty text takes one away. */
function useMediaSearch() {
  const search: MediaSearch = useSearch({ from: '/w/$workspaceId/media' })
  const navigate = useNavigate({ from: '/w/$workspaceId/media' })
  const change = useCallback(
    (part: Partial<MediaSearch>) =>
      void navigate({
        replace: true,
        resetScroll: false,
        search: (before) => Object.fromEntries(Object.entries({ ...before, ...part }).filter(([, value]) => value !== '')),
      }),
    [navigate],
  )
  return { search, change }
}

type MediaResultsProps = { workspaceId: string; search: MediaSearch; onChange: (part: Partial<MediaSearch>) => void }

function MediaResults({ workspaceId, search, onChange }: MediaResultsProps) {
  const { t } = useTranslation('media')
  const list = useMediaList(workspaceId, search)
  const { items, total, error, isPending } = list
  if (error && items.length === 0) return <ErrorNotice error={error} onRetry={() => void list.refetch()} />
  if (isPending) return <MediaGridSkeleton label={t('loading')} />
  if (items.length === 0) return <NoMedia search={search} onChange={onChange} />
  return (
    <>
      <output className="figures block text-sm text-quiet">{t('count', { count: total })}</output>
      <MediaGrid items={items} onOpen={(item) => onChange({ item })} />
      {list.hasNextPage && (
        <Button className="self-center" isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  )
}

function NoMedia({ search, onChange }: Omit<MediaResultsProps, 'workspaceId'>) {
  const { t } = useTranslation('media')
  if (search.show === 'without-alt' && search.tag === undefined && search.search === undefined)
    return (
      <EmptyState icon={<Images aria-hidden />} title={t('empty.allDescribed')}>
        {t('empty.allDescribedHint')}
      </EmptyState>
    )
  if (!isFiltered(search))
    return (
      <EmptyState icon={<Images aria-hidden />} title={t('empty.title')}>
        {t('empty.text')}
      </EmptyState>
    )
  return (
    <EmptyState
      icon={<Images aria-hidden />}
      title={t('empty.filtered')}
      actions={<Button onClick={() => onChange({ type: '', tag: '', show: '', search: '' })}>{t('empty.showAll')}</Button>}
    >
      {t('empty.filteredHint')}
    </EmptyState>
  )
}
