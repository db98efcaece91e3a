import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mediaTags } from '../api/queries.gen.ts'
import { Input } from '../ui/form/input.tsx'
import { Select, type Option } from '../ui/form/select.tsx'
import { mediaTypeOf, type MediaSearch } from './media-search.ts'

type MediaFiltersProps = { workspaceId: string; search: MediaSearch; onChange: (part: Partial<MediaSearch>) => void }

const typingPauseMs = 300

/** Which files are shown: by name, type, tag, and what is missing. */
export function MediaFilters({ workspaceId, search, onChange }: MediaFiltersProps) {
  const { t } = useTranslation('media')
  const { data: tags = [] } = useQuery(mediaTags(workspaceId))
  const all: Option<string> = { value: 'all', label: t('filters.allTags') }
  const chosen = search.tag === undefined || tags.some(({ tag }) => tag === search.tag) ? [] : [search.tag]
  const tagOptions = [
    all,
    ...tags.map(({ tag, count }) => ({ value: tag, label: tag, note: String(count) })),
    ...chosen.map((tag) => ({ value: tag, label: tag })),
  ]
  return (
    <search className="grid grid-cols-2 gap-3 max-sm:*:first:col-span-2 max-sm:*:last:col-span-2 lg:grid-cols-[minmax(0,1fr)_11rem_11rem_13rem]">
      <NameFilter value={search.search ?? ''} onChange={(text) => onChange({ search: text })} />
      <Select
        label={t('filters.type')}
        value={mediaTypeOf(search) ?? 'all'}
        onChange={(type) => onChange({ type: type === 'all' ? '' : type })}
        options={[
          { value: 'all', label: t('filters.allTypes') },
          { value: 'image', label: t('filters.images') },
          { value: 'video', label: t('filters.videos') },
          { value: 'document', label: t('filters.documents') },
        ]}
      />
      <Select
        label={t('filters.tag')}
        value={search.tag ?? 'all'}
        onChange={(tag) => onChange({ tag: tag === 'all' ? '' : tag })}
        options={tagOptions}
      />
      <Select
        label={t('filters.show')}
        value={search.show === 'unused' || search.show === 'without-alt' ? search.show : 'all'}
        onChange={(show) => onChange({ show: show === 'all' ? '' : show })}
        options={[
          { value: 'all', label: t('filters.everything') },
          { value: 'without-alt', label: t('filters.withoutAlt') },
          { value: 'unused', label: t('filters.unused') },
        ]}
      />
    </search>
  )
}

function NameFilter({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const { t } = useTranslation('media')
  const [text, setText] = useState(value)
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => onChange(text.trim()), typingPauseMs)
    return () => clearTimeout(timer)
  }, [text, value, onChange])
  return (
    <div className="relative">
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-[18px] -translate-y-1/2 text-faint" />
      <Input
        type="search"
        aria-label={t('filters.name')}
        placeholder={t('filters.name')}
        value={text}
        maxLength={200}
        onValueChange={(next: string) => setText(next)}
        className="pl-10"
      />
    </div>
  )
}
