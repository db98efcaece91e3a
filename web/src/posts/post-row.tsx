import type { Post } from '@carillon/sdk'
import { Link } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { PlatformMarks } from '../connections/platform-marks.tsx'
import { usePlatformName } from '../connections/use-start-connect.ts'
import { LabelChips } from '../labels/label-chips.tsx'
import { FileTile } from '../media/file-tile.tsx'
import { useClockText } from '../schedule/use-clock-text.ts'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { excerptOf } from './excerpt-of.ts'
import { shownStatus } from './shown-status.ts'
import { StatusBadge } from './status-badge.tsx'
import { useIsInPanel } from './use-post-panel.ts'

type PostRowProps = {
  post: Post
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
  /** Opens it beside the list. */
  onOpen: () => void
}

/** A post in the list, with a box to choose it for the bulk actions. */
export function PostRow({ post, isChosen, onChoose, onOpen }: PostRowProps) {
  const { t } = useTranslation('posts')
  const { t: tList } = useTranslation('list')
  const { id: workspaceId } = useWorkspace()
  const nameOf = usePlatformName()
  const { uploadId, channels, medias } = post
  const isInPanel = useIsInPanel(uploadId)
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onOpen()
  }
  const excerpt = excerptOf(post, t('untitled'))
  const at = post.publishedAt ?? post.scheduledAt ?? post.createdAt
  const picture = medias.find(({ id, thumbnailUrl }) => id !== null && thumbnailUrl !== null)
  return (
    <li
      className="@container flex items-center gap-3 pl-3 hover:bg-hover has-[a[aria-current]]:bg-bell-wash"
      data-entry={uploadId}
    >
      <Checkbox label={tList('bulk.choose', { excerpt })} isLabelHidden checked={isChosen} onChange={onChoose} />
      <Link
        to="/w/$workspaceId/posts/$postId"
        params={{ workspaceId, postId: uploadId }}
        onClick={onClick}
        aria-current={isInPanel || undefined}
        className="flex min-h-16 min-w-0 flex-1 items-center gap-3 py-2 pr-3 text-ink no-underline focus-visible:outline-offset-[-2px]"
      >
        <span className="flex min-w-0 flex-1 flex-col gap-1">
          <span className="truncate">{excerpt}</span>
          <span className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1">
            <span className="flex max-w-full min-w-0 items-center gap-2 text-sm text-quiet">
              <PlatformMarks platforms={channels.map(({ platform }) => platform)} nameOf={nameOf} />
              <span className="min-w-0 truncate">
                {channels.length > 0 ? [...new Set(channels.map(({ targetName }) => targetName))].join(', ') : t('noChannels')}
              </span>
            </span>
            {post.labels && <LabelChips ids={post.labels} max={3} />}
          </span>
          <span className="flex flex-wrap items-center gap-2 @xl:hidden">
            <StatusBadge status={shownStatus(post)} />
            <RowTime at={at} zone={post.timezone} />
          </span>
        </span>
        <span className="hidden w-40 shrink-0 @xl:block @3xl:w-48">
          <RowTime at={at} zone={post.timezone} />
        </span>
        <span className="hidden w-44 shrink-0 @xl:block @3xl:w-52">
          <StatusBadge status={shownStatus(post)} />
        </span>
        {picture ? (
          <img
            src={`/api/workspaces/${workspaceId}/media/${picture.id}/thumbnail`}
            alt=""
            loading="lazy"
            className="size-11 shrink-0 rounded-chip object-cover"
          />
        ) : medias[0] ? (
          <FileTile type={medias[0].type} className="size-11 shrink-0 rounded-chip" />
        ) : (
          <span className="hidden size-11 shrink-0 @xl:block" />
        )}
      </Link>
    </li>
  )
}

/** The city and the reader's own time are only of interest where the two differ. */
function RowTime({ at, zone }: { at: string; zone: string | null }) {
  const { read, write } = useClockText()
  const clocks = read(at, zone)
  return <span className="figures text-sm text-quiet">{clocks.here === null ? clocks.there : write(clocks)}</span>
}
