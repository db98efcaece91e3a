import type { Media } from '@carillon/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Images, Link2, Upload } from 'lucide-react'
import { type DragEvent, type ReactNode, useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mediaListPages } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { FetchDialog } from './fetch-dialog.tsx'
import { FolderPane } from './folders/folder-pane.tsx'
import { useFolders, useMoveInto } from './folders/use-folders.ts'
import { MediaBulkBar } from './media-bulk-bar.tsx'
import { MediaDialog } from './media-dialog.tsx'
import { MediaFilters } from './media-filters.tsx'
import { MediaGrid, MediaGridSkeleton } from './media-grid.tsx'
import { type MediaSearch, folderOf, isFiltered, mediaTypeOf } from './media-search.ts'
import { StoppedUploads } from './stopped-uploads.tsx'
import { UploadList } from './upload-list.tsx'
import { useChosen } from './use-chosen.ts'
import { useUploads } from './use-uploads.ts'

export function MediaPage() {
  const { t } = useTranslation('media')
  const { id: workspaceId, role } = useWorkspace()
  const { search, change } = useMediaSearch()
  const { uploads, add, retry, dismiss } = useUploads(workspaceId)
  const [isFetching, setIsFetching] = useState(false)
  const canChange = role !== 'viewer'
  const folders = useFolders(workspaceId)
  const moveInto = useMoveInto(workspaceId)
  const folder = folderOf(search)
  // What arrives goes into the folder that is open.
  const folderId = folder === undefined || folder === 'none' ? null : folder
  const addFiles = (files: readonly File[]) => add(files, folderId)
  return (
    <DropArea label={t('drop')} isEnabled={canChange} onFiles={addFiles}>
      <PageHeader
        title={t('title')}
        actions={
          canChange && (
            <>
              <Button icon={<Link2 aria-hidden />} onClick={() => setIsFetching(true)}>
                {t('fetch.open')}
              </Button>
              <ChooseFilesButton onFiles={addFiles} />
            </>
          )
        }
      />
      <UploadList uploads={uploads} onRetry={retry} onDismiss={dismiss} />
      {canChange && <StoppedUploads workspaceId={workspaceId} uploads={uploads} />}
      <MediaFilters workspaceId={workspaceId} search={search} onChange={change} />
      <div className="flex flex-col gap-5 lg:flex-row lg:gap-6">
        <FolderPane
          workspaceId={workspaceId}
          folders={folders}
          open={folder}
          canChange={canChange}
          onOpen={(next) => change({ folder: next ?? '' })}
        />
        <div className="flex min-w-0 flex-1 flex-col gap-5">
          <MediaResults workspaceId={workspaceId} search={search} canChange={canChange} onChange={change} />
        </div>
      </div>
      {search.item !== undefined && (
        <MediaDialog workspaceId={workspaceId} mediaId={search.item} canChange={canChange} onClose={() => change({ item: '' })} />
      )}
      {isFetching && (
        <FetchDialog
          workspaceId={workspaceId}
          onClose={() => setIsFetching(false)}
          onFetched={({ id }) => void moveInto(id, folderId)}
        />
      )}
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

type MediaResultsProps = {
  workspaceId: string
  search: MediaSearch
  canChange: boolean
  onChange: (part: Partial<MediaSearch>) => void
}

function MediaResults({ workspaceId, search, canChange, onChange }: MediaResultsProps) {
  const { t } = useTranslation('media')
  const folders = useFolders(workspaceId)
  const list = useMediaList(workspaceId, search)
  const { items, total, error, isPending } = list
  const { chosen, toggle, setAll } = useChosen(items.map(({ id }) => id))
  if (error && items.length === 0) return <ErrorNotice error={error} onRetry={() => void list.refetch()} />
  if (isPending) return <MediaGridSkeleton label={t('loading')} />
  if (items.length === 0) return <NoMedia search={search} onChange={onChange} />
  return (
    <>
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2">
        {canChange && (
          <Checkbox
            label={chosen.length > 0 ? t('bulk.chosen', { count: chosen.length }) : t('bulk.all')}
            checked={chosen.length === items.length}
            isPartial={chosen.length > 0 && chosen.length < items.length}
            onChange={setAll}
          />
        )}
        {chosen.length > 0 ? (
          <MediaBulkBar
            workspaceId={workspaceId}
            medias={items.filter(({ id }) => chosen.includes(id))}
            folders={folders}
            onDone={() => setAll(false)}
          />
        ) : (
          <output className="figures block text-sm text-quiet">{t('count', { count: total })}</output>
        )}
      </div>
      <MediaGrid items={items} onOpen={(item) => onChange({ item })} choice={canChange ? { chosen, onChoose: toggle } : null} />
      {list.hasNextPage && (
        <Button className="self-center" isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  )
}

function NoMedia({ search, onChange }: Pick<MediaResultsProps, 'search' | 'onChange'>) {
  const { t } = useTranslation('media')
  const { folder, ...others } = search
  if (folder !== undefined && !isFiltered(others))
    return (
      <EmptyState icon={<Images aria-hidden />} title={t('empty.folder')}>
        {t('empty.folderHint')}
      </EmptyState>
    )
  if (search.show === 'without-alt' && search.tag === undefined && search.search === undefined && folder === undefined)
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
      actions={
        <Button onClick={() => onChange({ type: '', tag: '', show: '', search: '', folder: '' })}>{t('empty.showAll')}</Button>
      }
    >
      {t('empty.filteredHint')}
    </EmptyState>
  )
}

const pageSize = 60

/** The files that match the filters, page after page. */
function useMediaList(workspaceId: string, search: MediaSearch) {
  const [type, folder] = [mediaTypeOf(search), folderOf(search)]
  const query = useInfiniteQuery(
    mediaListPages(workspaceId, {
      limit: pageSize,
      ...(type && { type }),
      ...(folder !== undefined && { folder }),
      ...(search.tag !== undefined && { tags: search.tag }),
      ...(search.search !== undefined && { search: search.search }),
      ...(search.show === 'unused' && { unused: 'true' }),
      ...(search.show === 'without-alt' && { withoutAlt: 'true' }),
    }),
  )
  const items: readonly Media[] = query.data?.pages.flatMap(({ results }) => results) ?? []
  return { ...query, items, total: query.data?.pages[0]?.total ?? 0 }
}

/** Opens the file dialog of the system. */
function ChooseFilesButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const { t } = useTranslation('media')
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button variant="primary" icon={<Upload aria-hidden />} onClick={() => input.current?.click()}>
        {t('upload')}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept="image/*,video/*,application/pdf"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          // The same file can be chosen again after it was refused.
          currentTarget.value = ''
        }}
      />
    </>
  )
}

type DropAreaProps = { label: string; isEnabled: boolean; onFiles: (files: readonly File[]) => void; children: ReactNode }

/** Takes files that are dropped anywhere on it. The same can be done with a button, so it needs no keyboard. */
function DropArea({ label, isEnabled, onFiles, children }: DropAreaProps) {
  const [isOver, setIsOver] = useState(false)
  const hasFiles = ({ dataTransfer }: DragEvent) => isEnabled && dataTransfer.types.includes('Files')
  const over = (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    setIsOver(true)
  }
  const leave = (event: DragEvent) => {
    if (event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)) return
    setIsOver(false)
  }
  const drop = (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    setIsOver(false)
    onFiles([...event.dataTransfer.files])
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- dropping is an extra; the button does the same
    <div className="relative flex min-h-[60vh] flex-col gap-5" onDragOver={over} onDragLeave={leave} onDrop={drop}>
      {children}
      {isOver && (
        <div className="pointer-events-none absolute -inset-2 z-10 flex items-start justify-center rounded-card border-2 border-dashed border-bell bg-bell-wash/90 pt-24">
          <span className="font-serif text-xl text-bell">{label}</span>
        </div>
      )}
    </div>
  )
}
