import type { Queue } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { CalendarClock, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queuesList } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { SettingGroup } from '../setting-group.tsx'
import { useAccess } from '../use-access.ts'
import { QueueActions } from './queue-actions.tsx'
import { QueueDialog } from './queue-dialog.tsx'
import { NextSlots } from './next-slots.tsx'
import { WeekSlots } from './week-slots.tsx'

/** The queues of the workspace, each with the times of its week and the slots that come next. */
export function QueueSection() {
  const { t } = useTranslation('settings')
  const { workspaceId, isAdmin } = useAccess()
  const { data: queues, error, refetch } = useQuery(queuesList(workspaceId))
  const [isAdding, setIsAdding] = useState(false)
  const addButton = isAdmin && (
    <Button
      variant={queues?.length === 0 ? 'primary' : 'secondary'}
      icon={<Plus aria-hidden />}
      onClick={() => setIsAdding(true)}
    >
      {t('queue.create')}
    </Button>
  )
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-[68ch] text-quiet">{t('queue.text')}</p>
        {queues && queues.length > 0 && addButton}
      </div>
      {!isAdmin && <Notice title={t('onlyAdmins')} />}
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!queues && !error && <SkeletonLines label={t('loading')} />}
      {queues?.length === 0 && (
        <EmptyState icon={<CalendarClock aria-hidden />} title={t('queue.empty')} actions={addButton}>
          {t('queue.emptyHint')}
        </EmptyState>
      )}
      {queues?.map((queue) => (
        <QueueGroup key={queue.id} queue={queue} />
      ))}
      {isAdding && <QueueDialog onClose={() => setIsAdding(false)} />}
    </>
  )
}

function QueueGroup({ queue }: { queue: Queue }) {
  const { t } = useTranslation('settings')
  const { workspace, isAdmin } = useAccess()
  return (
    <SettingGroup
      title={queue.name}
      description={t('queue.zoneIs', { zone: (queue.timezone ?? workspace.timezone).replaceAll('_', ' ') })}
      actions={<QueueActions queue={queue} />}
    >
      <div className="flex min-w-0 flex-col gap-6 xl:flex-row xl:gap-10">
        {/* What another member saves starts the form again. */}
        <WeekSlots key={queue.updatedAt} queue={queue} canChange={isAdmin} />
        {queue.slots.length > 0 && <NextSlots queue={queue} />}
      </div>
    </SettingGroup>
  )
}
