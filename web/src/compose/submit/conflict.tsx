import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { wallTimeIn } from '../../time/zoned-day.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useCompose } from '../compose-context.ts'
import type { DraftSaver, SaveView } from '../saving/draft-saver.ts'
import { fromPost } from '../state/post-change.ts'

const ConflictDialog = lazy(async () => ({ default: (await import('./conflict-dialog.tsx')).ConflictDialog }))

/** Shows that somebody else saved the draft, until the person has decided which version stays. */
export function Conflict({ saving, saver }: { saving: SaveView; saver: DraftSaver }) {
  const { t } = useTranslation('compose')
  const { state, dispatch } = useCompose()
  const { theirs } = saving
  const [closedFor, setClosedFor] = useState<string | null>(null)
  if (saving.status !== 'conflict' || theirs === null) return null
  const takeTheirs = () => {
    const loaded = fromPost(theirs, { zone: state.when.zone, wallTime: wallTimeIn })
    const next = { ...loaded, revision: state.revision + 1 }
    saver.takeTheirs(theirs, next)
    dispatch({ type: 'replace', state: next })
  }
  if (closedFor === theirs.updatedAt) {
    return (
      <div className="fixed inset-x-4 bottom-32 z-30 mx-auto max-w-xl shadow-float md:bottom-20">
        <Notice
          kind="warning"
          title={t('conflict.title')}
          actions={
            <Button size="sm" onClick={() => setClosedFor(null)}>
              {t('conflict.compare')}
            </Button>
          }
        />
      </div>
    )
  }
  return (
    <Suspense>
      <ConflictDialog
        theirs={theirs}
        onClose={() => setClosedFor(theirs.updatedAt)}
        onKeepMine={() => saver.keepMine()}
        onTakeTheirs={takeTheirs}
      />
    </Suspense>
  )
}
