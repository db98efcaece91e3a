import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, Maximize2 } from 'lucide-react'
import { Suspense, useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { contentGet } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Sheet } from '../ui/overlay/sheet.tsx'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { excerptOf } from './excerpt-of.ts'
import { PostView } from './lazy-post-view.ts'

type PostPanelProps = {
  postId: string
  /** The posts of the view in their order. */
  ids: readonly string[]
  onOpen: (postId: string) => void
  onClose: () => void
}

/** A post beside the calendar or the list. */
export function PostPanel({ postId, ids, onOpen, onClose }: PostPanelProps) {
  const { t } = useTranslation(['posts', 'shell'])
  const { id: workspaceId } = useWorkspace()
  const { data: post, error, refetch } = useQuery(contentGet(workspaceId, postId))
  const at = ids.indexOf(postId)
  const previous = at > 0 ? ids[at - 1] : undefined
  const next = at === -1 ? undefined : ids[at + 1]
  const go = (id: string | undefined) => id !== undefined && onOpen(id)
  useStepKeys({ onPrevious: () => go(previous), onNext: () => go(next) })
  return (
    <Sheet
      title={post ? excerptOf(post, t('untitled')) : t('post')}
      closeLabel={t('shell:close')}
      onClose={onClose}
      tools={
        <>
          {/* They stay where they are at the ends of the view, so that the focus is not lost. */}
          <IconButton
            label={t('panel.previous')}
            icon={<ChevronUp aria-hidden />}
            aria-disabled={previous === undefined}
            onClick={() => go(previous)}
            className="aria-disabled:opacity-40"
          />
          <IconButton
            label={t('panel.next')}
            icon={<ChevronDown aria-hidden />}
            aria-disabled={next === undefined}
            onClick={() => go(next)}
            className="aria-disabled:opacity-40"
          />
          <Link
            to="/w/$workspaceId/posts/$postId"
            params={{ workspaceId, postId }}
            className="ml-auto inline-flex min-h-9 items-center gap-1.5 rounded-control px-2.5 text-sm text-quiet no-underline hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
          >
            <Maximize2 aria-hidden className="size-4" />
            {t('panel.asPage')}
          </Link>
        </>
      }
    >
      {/* While words are loaded for a part, the panel stays, and with it the focus. */}
      <Suspense fallback={<SkeletonLines label={t('loading')} count={6} />}>
        {post && <PostView key={postId} post={post} onDeleted={onClose} />}
      </Suspense>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!post && !error && <SkeletonLines label={t('loading')} count={6} />}
    </Sheet>
  )
}

type Steps = { onPrevious: () => void; onNext: () => void }

/** J and K anywhere on the page, as long as nobody types and no menu or dialog is open above it. */
function useStepKeys({ onPrevious, onNext }: Steps): void {
  const onKey = useEffectEvent(({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
    if (ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return
    if (target.isContentEditable || target.closest(typing) !== null) return
    if (key.toLowerCase() === 'j') onNext()
    else if (key.toLowerCase() === 'k') onPrevious()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [])
}

const typing =
  'input:not([type="checkbox"]), textarea, select, [role="menu"], [role="dialog"], [role="alertdialog"], [role="listbox"]'
