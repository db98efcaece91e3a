import type { Post } from '@carillon/sdk'
import { Link } from '@tanstack/react-router'
import { Repeat } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { formatDay } from '../time/format-time.ts'
import { useTimeStyle } from '../workspaces/use-time-style.ts'
import { useMay, useWorkspace } from '../workspaces/use-workspace.ts'

/** On the page of a post that a series made: change this one, or all that come. */
export function SeriesNotice({ post: { uploadId, status, seriesId, occurrence } }: { post: Post }) {
  const { t } = useTranslation('series')
  const { id: workspaceId } = useWorkspace()
  const { language } = useTimeStyle()
  const mayWrite = useMay('editor')
  if (seriesId === undefined || occurrence === undefined) return null
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-quiet">
      <span className="inline-flex items-center gap-1.5">
        <Repeat aria-hidden className="size-4" />
        {t('partOf', { day: formatDay(occurrence, 'day', language) })}
      </span>
      {mayWrite && status === 'scheduled' && (
        <Link
          to="/w/$workspaceId/compose"
          params={{ workspaceId }}
          search={{ draft: uploadId }}
          className="inline-flex min-h-6 items-center"
        >
          {t('editThis')}
        </Link>
      )}
      <Link
        to="/w/$workspaceId/series"
        params={{ workspaceId }}
        search={{ show: seriesId }}
        className="inline-flex min-h-6 items-center"
      >
        {t(mayWrite ? 'editSeries' : 'showSeries')}
      </Link>
    </p>
  )
}
