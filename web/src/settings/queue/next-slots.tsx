import type { Queue } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { queuesSlots } from '../../api/queries.gen.ts'
import { formatTime } from '../../time/format-time.ts'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'
import { useAccess } from '../use-access.ts'

/** The slots that come next, and the posts that have them. */
export function NextSlots({ queue }: { queue: Queue }) {
  const { t } = useTranslation('settings')
  const { workspaceId } = useAccess()
  const style = useTimeStyle()
  const { data } = useQuery(queuesSlots(workspaceId, queue.id, { limit: 6 }))
  if (!data || data.slots.length === 0) return null
  return (
    <section aria-label={t('queue.next')} className="xl:w-64 xl:shrink-0">
      <h4 className="text-sm font-medium">{t('queue.next')}</h4>
      <ul className="mt-2 flex flex-col">
        {data.slots.map(({ at, uploadId }) => (
          <li
            key={at}
            className="flex min-h-9 items-center justify-between gap-3 border-b border-line text-sm last:border-b-0 pointer-coarse:min-h-11"
          >
            <time dateTime={at} className="figures">
              {formatTime(at, 'dayAndTime', { ...style, zone: data.timezone })}
            </time>
            {uploadId === null ? (
              <span className="text-quiet">{t('queue.free')}</span>
            ) : (
              <Link to="/w/$workspaceId/posts/$postId" params={{ workspaceId, postId: uploadId }}>
                {t('queue.post')}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
