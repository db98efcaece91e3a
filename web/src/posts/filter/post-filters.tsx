import { ListFilter } from 'lucide-react'
import { lazy, Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import type { FilterFieldsProps } from './filter-fields.tsx'
import { isFiltered, shownFilter } from './post-filter.ts'

const FilterFields = lazy(async () => ({ default: (await import('./filter-fields.tsx')).FilterFields }))

type PostFiltersProps = FilterFieldsProps & {
  /** Folded behind its button in a wide window too, as a part of a row that wraps: the fields are a row of their own when they are open. */
  isFolded?: boolean
  startsOpen?: boolean
}

/** The filters of posts. On a phone, a button shows them. */
export function PostFilters({ isFolded = false, startsOpen = false, ...fields }: PostFiltersProps) {
  const { t } = useTranslation('posts')
  const [isOpen, setIsOpen] = useState(startsOpen)
  const panelId = useId()
  const look = isOpen ? 'grid md:flex' : isFolded ? 'hidden' : 'hidden md:flex'
  return (
    <search className={isFolded ? 'contents' : 'flex flex-col gap-2'} aria-label={t('filter.label')}>
      <Button
        className={isFolded ? 'max-md:order-1 max-md:ml-auto' : 'self-start md:hidden'}
        size="sm"
        icon={<ListFilter aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isFiltered(shownFilter(fields.filter, fields.hidesStatus)) ? t('filter.on') : t('filter.label')}
      </Button>
      <div id={panelId} className={`${look} gap-2 md:flex-wrap md:items-center ${isFolded ? 'order-last basis-full' : ''}`}>
        {(isOpen || !isFolded) && (
          <Suspense>
            <FilterFields {...fields} />
          </Suspense>
        )}
      </div>
    </search>
  )
}
