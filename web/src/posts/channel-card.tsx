import type { Channel } from '@carillon/sdk'
import { ExternalLink, MessageSquare } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { avatarAddress } from '../api/integrations.ts'
import { hasReadableHandle } from '../connections/account-label.ts'
import { MarkedAvatar } from '../connections/marked-avatar.tsx'
import { readDeclarations } from '../compose/declarations/read-declarations.ts'
import { formatTime } from '../time/format-time.ts'
import { useTimeStyle } from '../workspaces/use-time-style.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import type { ChannelCardProps } from './channel-card-props.ts'
import { ChannelOwn } from './channel-own.tsx'
import { ChannelProblem } from './channel-problem.tsx'
import { ChannelQuestion } from './channel-question.tsx'
import { WarningList } from './channel-reason.tsx'
import { ChannelTimeline } from './channel-timeline.tsx'
import { shownChannelStatus } from './shown-status.ts'
import { StatusBadge } from './status-badge.tsx'

/** One account of a post: how it stands there, why, and what can be done. */
export function ChannelCard(props: ChannelCardProps) {
  const { channel, isDraft, connection, platform, timeline } = props
  const { t, i18n } = useTranslation('posts')
  const { id: workspaceId } = useWorkspace()
  const { result } = channel
  const { afterwards } = readDeclarations(platform?.settings ?? {}, i18n.language)
  const name = connection?.displayName ?? channel.targetName
  const platformName = platform?.name ?? channel.platform
  const handle = connection && hasReadableHandle(connection) ? connection.handle : null
  const avatar = connection ? avatarAddress(workspaceId, connection) : null
  return (
    <article aria-label={`${name}, ${platformName}`} className="rounded-card border border-line bg-surface">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 p-4">
        <MarkedAvatar name={name} src={avatar} platform={channel.platform} />
        <div className="min-w-0 flex-1 pl-1">
          <h3 className="truncate font-medium">{name}</h3>
          <p className="truncate text-sm text-quiet">{handle === null ? platformName : `${platformName} · ${handle}`}</p>
        </div>
        {!isDraft && (
          // The mark of a published channel swings once when it appears.
          <span key={result.status} className={result.status === 'success' ? '[&_svg]:animate-swing' : ''}>
            <StatusBadge status={shownChannelStatus(result)} />
          </span>
        )}
      </header>
      <div className="flex flex-col gap-3 px-4 pb-4 empty:hidden">
        {result.postUrl !== null && result.status === 'success' && (
          <a
            href={result.postUrl}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-6 items-center gap-1.5 self-start"
          >
            <ExternalLink aria-hidden className="size-4" />
            {t('openPost', { platform: platformName })}
          </a>
        )}
        {isOnItsWay(channel) && afterwards !== null && <p className="text-sm text-quiet">{afterwards}</p>}
        {result.parts && <ThreadParts parts={result.parts} />}
        {props.options && <ChannelOwn options={props.options} platform={platform} type={props.type} />}
        {result.status === 'success' && result.comment !== undefined && result.comment !== 'failed' && (
          <p className="flex items-center gap-1.5 text-sm text-quiet">
            <MessageSquare aria-hidden className="size-4 shrink-0" />
            {t(`comment.${result.comment}`)}
          </p>
        )}
        <Waiting channel={channel} />
        {result.status === 'unconfirmed' && <ChannelQuestion {...props} />}
        {result.status !== 'unconfirmed' && result.error && <ChannelProblem {...props} error={result.error} />}
        {result.warnings.length > 0 && (
          <WarningList warnings={result.warnings} issues={props.issues} className="text-sm text-quiet" />
        )}
        {!isDraft && timeline.length > 0 && (
          <ChannelTimeline
            entries={timeline}
            platform={platformName}
            isOpen={result.status === 'failed' || result.status === 'unconfirmed'}
          />
        )}
      </div>
    </article>
  )
}

const newMs = 600_000

/** It is being sent, or was published just now. */
function isOnItsWay({ result: { status, publishedAt } }: Channel): boolean {
  return status === 'publishing' || (status === 'success' && publishedAt !== null && Date.now() - Date.parse(publishedAt) < newMs)
}

/** The posts of a thread, each with its address once it is published. */
function ThreadParts({ parts }: { parts: NonNullable<Channel['result']['parts']> }) {
  const { t } = useTranslation('posts')
  const published = parts.filter(({ status }) => status === 'success').length
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p className="text-quiet">{t('thread.progress', { published, count: parts.length })}</p>
      <ol className="flex flex-wrap gap-x-3 gap-y-1">
        {parts.map(({ status, postUrl }, index) => (
          <li key={index}>
            {status === 'success' && postUrl !== null ? (
              <a href={postUrl} target="_blank" rel="noreferrer" className="inline-flex min-h-6 items-center">
                {t('thread.part', { number: index + 1 })}
              </a>
            ) : (
              <span className="inline-flex min-h-6 items-center text-quiet">
                {t('thread.partStatus', { number: index + 1, status: t(`status.${shownChannelStatus({ status })}`) })}
              </span>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}

function Waiting({ channel: { result } }: { channel: Channel }) {
  const { t } = useTranslation('posts')
  const style = useTimeStyle()
  // What is wrong with the account says it, beside the button that reconnects it.
  if (!result.waiting || (result.waiting.reason === 'reconnect' && result.error)) return null
  const { reason, until } = result.waiting
  return (
    <p className="text-sm text-quiet">
      {t(`waiting.${reason}`)} {until !== null && t('waiting.until', { when: formatTime(until, 'dayAndTime', style) })}
    </p>
  )
}
