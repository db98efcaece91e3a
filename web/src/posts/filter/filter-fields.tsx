import { useQuery } from '@tanstack/react-query'
import { Search, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { platformsList, workspacesConnections } from '../../api/queries.gen.ts'
import { platformNameOf } from '../../connections/platform-name.ts'
import { useLabels } from '../../labels/use-labels.ts'
import { accountNames } from '../../connections/account-label.ts'
import { Button } from '../../ui/button.tsx'
import { NativeSelect } from '../../ui/form/native-select.tsx'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { isFiltered, shownFilter, type PostFilter } from './post-filter.ts'
import { postStatuses } from '../post-statuses.ts'

export type FilterFieldsProps = {
  filter: PostFilter
  onChange: (filter: PostFilter) => void
  /** The list has tabs for it. */
  hidesStatus?: boolean
}

const searchDelayMs = 300

/** What the calendar and the list of posts can be narrowed to. */
export function FilterFields({ filter, onChange, hidesStatus = false }: FilterFieldsProps) {
  const { t } = useTranslation('posts')
  const { t: tLabels } = useTranslation('labels')
  const { id: workspaceId } = useWorkspace()
  const { labels } = useLabels()
  const { data: connections = [] } = useQuery(workspacesConnections(workspaceId))
  const { data: platforms = [] } = useQuery({ ...platformsList(), staleTime: Number.POSITIVE_INFINITY })
  const set = (name: keyof PostFilter, value: string) => {
    const { [name]: _old, ...rest } = filter
    onChange(value === '' ? rest : { ...rest, [name]: value })
  }
  const names = accountNames(connections)
  const used = new Set(connections.map(({ platform }) => platform))
  return (
    <>
      <SearchField value={filter.search ?? ''} onChange={(text) => set('search', text)} />
      {!hidesStatus && (
        <NativeSelect label={t('filter.status')} value={filter.status ?? ''} onChange={(value) => set('status', value)}>
          <option value="">{t('filter.anyStatus')}</option>
          <option value="failed,partial_failure">{t('filter.attention')}</option>
          {postStatuses.map((status) => (
            <option key={status} value={status}>
              {t(`status.${status}`)}
            </option>
          ))}
        </NativeSelect>
      )}
      <NativeSelect label={t('filter.platform')} value={filter.platform ?? ''} onChange={(value) => set('platform', value)}>
        <option value="">{t('filter.anyPlatform')}</option>
        {platforms
          .filter(({ platform }) => used.has(platform))
          .map(({ platform, name }) => (
            <option key={platform} value={platform}>
              {name}
            </option>
          ))}
      </NativeSelect>
      <NativeSelect
        label={t('filter.connection')}
        value={filter.connection ?? ''}
        onChange={(value) => set('connection', value)}
        className="md:max-w-56"
      >
        <option value="">{t('filter.anyConnection')}</option>
        {connections.map(({ id, slug, platform }) => (
          <option key={id} value={slug}>
            {`${names.get(id)} · ${platformNameOf(platforms, platform)}`}
          </option>
        ))}
      </NativeSelect>
      {labels.length > 0 && (
        <NativeSelect
          label={tLabels('filter')}
          value={filter.label ?? ''}
          onChange={(value) => set('label', value)}
          className="md:max-w-48"
        >
          <option value="">{tLabels('any')}</option>
          {labels.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </NativeSelect>
      )}
      {isFiltered(shownFilter(filter, hidesStatus)) && (
        <Button variant="quiet" icon={<X aria-hidden />} onClick={() => onChange(keepStatus(filter, hidesStatus))}>
          {t('filter.clear')}
        </Button>
      )}
    </>
  )
}

function keepStatus({ status }: PostFilter, keeps: boolean): PostFilter {
  return keeps && status !== undefined ? { status } : {}
}

function SearchField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const { t } = useTranslation('posts')
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(() => onChange(typed.trim()), searchDelayMs)
    return () => clearTimeout(timer)
    // The filter changes only after a pause in typing, not whenever the page is rendered.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [typed])
  return (
    <span className="relative inline-flex min-w-0 md:w-56">
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-faint" />
      <input
        type="search"
        aria-label={t('filter.search')}
        placeholder={t('filter.search')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className={[
          'min-h-10 w-full min-w-0 rounded-control border border-edge bg-surface pr-3 pl-9 text-base text-ink placeholder:text-faint',
          'transition-colors hover:border-quiet pointer-coarse:min-h-11 pointer-coarse:text-[1rem]',
        ].join(' ')}
      />
    </span>
  )
}
