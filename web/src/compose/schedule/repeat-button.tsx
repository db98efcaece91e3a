import { useNavigate } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { Repeat } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { carillon } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/overlay/show-toast.ts'
import { useCompose } from '../compose-context.ts'
import type { DraftSaver } from '../saving/draft-saver.ts'
import { toPostChange } from '../state/post-change.ts'

const RepeatDialog = lazy(async () => ({ default: (await import('../../series/repeat-dialog.tsx')).RepeatDialog }))

/** Makes a series of what is written here. The draft has done its work then, and is deleted. */
export function RepeatButton({ saver }: { saver: DraftSaver }) {
  const { t } = useTranslation('compose')
  const { workspaceId, state } = useCompose()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [isOpen, setIsOpen] = useState(false)
  const { wall, zone } = state.when
  const finish = async ({ id, approval }: { id: string; approval: string }) => {
    const { postId } = saver.view()
    saver.end()
    if (postId !== null) await carillon.content.remove(postId, {}, { workspaceId }).catch(() => {})
    for (const operation of ['series.list', 'content.list', 'content.calendar'])
      void queryClient.invalidateQueries({ queryKey: [operation, workspaceId] })
    showToast({ title: t(approval === 'pending' ? 'repeat.waits' : 'repeat.done') })
    await navigate({ to: '/w/$workspaceId/series', params: { workspaceId }, search: { show: id } })
  }
  return (
    <>
      <Button size="sm" className="self-start" icon={<Repeat aria-hidden />} onClick={() => setIsOpen(true)}>
        {t('repeat.open')}
      </Button>
      {isOpen && (
        <Suspense>
          <RepeatDialog
            workspaceId={workspaceId}
            change={toPostChange(state, { canSchedule: true })}
            start={{ from: wall.slice(0, 10), time: wall.slice(11, 16), timezone: zone }}
            onClose={() => setIsOpen(false)}
            onMade={(series) => void finish(series)}
          />
        </Suspense>
      )}
    </>
  )
}
