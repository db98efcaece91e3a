import type { Channel, ChannelError, Connection, PlatformInfo, Post, TimelineEntry } from '@carillon/sdk'
import { Link } from '@tanstack/react-router'
import { ExternalLink, MessageSquare } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { avatarAddress } from '../api/integrations.ts'
import { readDeclarations } from '../compose/declarations/read-declarations.ts'
import { hasReadableHandle } from '../connections/account-label.ts'
import { ConnectButton } from '../connections/connect-button.tsx'
import { MarkedAvatar } from '../connections/marked-avatar.tsx'
import { platformNameOf } from '../connections/platform-name.ts'
import { describeCode } from '../errors/describe-error.ts'
import { formatTime } from '../time/format-time.ts'
import { Button, buttonLook } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useTimeStyle } from '../workspaces/use-time-style.ts'
import { useMay, useWorkspace } from '../workspaces/use-workspace.ts'
import { ChannelOwn } from './channel-own.tsx'
import { PlatformWords, WarningList, useReason } from './channel-reason.tsx'
import { ChannelTimeline } from './channel-timeline.tsx'
import { shownChannelStatus } from './shown-status.ts'
import { StatusBadge } from './status-badge.tsx'
import type { PostChanges } from './use-post-changes.ts'

/** One account of a post: how it stands there, why, and what can be done. */
export function ChannelCard(props: ChannelCardProps) {
  const { channel, isDraft, connection, platform, timeline } = props
  const { t, i18n } = useTranslation('posts')
  const { id: workspaceId } = useWorkspace()
  const { result } = channel
  const { afterwards } = readDeclarations(platform?.settings ?? {}, i18n.language)
  const name = connection?.displayName ?? channel.targetName
  const platformName = platformNameOf(platform && [platform], channel.platform)
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
        {isOnItsWay(channel) && result.waiting === null && afterwards !== null && (
          <p className="text-sm text-quiet">{afterwards}</p>
        )}
        {result.parts && <ThreadParts parts={result.parts} />}
        {props.options && <ChannelOwn options={props.options} platform={platform} type={props.type} />}
        {result.status === 'success' && result.comment !== undefined && result.comment !== 'failed' && (
          <p className="flex items-center gap-1.5 text-sm text-quiet">
            <MessageSquare aria-hidden className="size-4 shrink-0" />
            {t(`comment.${result.comment}`)}
          </p>
        )}
        <Waiting result={result} platform={platformName} />
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

function Waiting({ result, platform }: Pick<Channel, 'result'> & { platform: string }) {
  const { t } = useTranslation('posts')
  const style = useTimeStyle()
  // What is wrong with the account says it, beside the button that reconnects it.
  if (!result.waiting || (result.waiting.reason === 'reconnect' && result.error)) return null
  const { reason, until } = result.waiting
  const when = until === null ? null : formatTime(until, 'dayAndTime', style)
  if (reason === 'finish_in_app')
    return (
      <Notice title={t('waiting.finish_in_app', { platform })}>
        {when !== null && t('waiting.finishUntil', { platform, when })}
      </Notice>
    )
  return (
    <p className="text-sm text-quiet">
      {t(`waiting.${reason}`)} {when !== null && t('waiting.until', { when })}
    </p>
  )
}

/** The answer of the platform was lost: only a person can look whether the post is there. Sending it again could publish it twice. */
function ChannelQuestion({ channel, connection, platform, changes }: ChannelCardProps) {
  const { t } = useTranslation('posts')
  const mayWrite = useMay('editor')
  const { t: tErrors } = useTranslation('errors')
  const { error, postUrl } = channel.result
  const { sentence } = describeCode(error?.code ?? 'outcome_unknown', error?.message ?? '', tErrors)
  const name = platformNameOf(platform && [platform], channel.platform)
  const reason = useReason(error?.reason, name)
  const address = postUrl ?? (platform?.connect.simulated ? platform.connect.feedUrl : null) ?? connection?.instanceUrl
  const answer = (outcome: 'published' | 'not_published') => changes.resolve.mutate({ channelId: channel.id, outcome })
  return (
    <div className="flex flex-col gap-1 rounded-control border border-dashed border-plum bg-plum-wash p-3">
      <p className="font-medium">{t('resolve.question')}</p>
      {reason !== null && <p>{reason}</p>}
      <p>{sentence}</p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        {address && (
          <a href={address} target="_blank" rel="noreferrer" className="inline-flex min-h-8 items-center gap-1.5 pr-2">
            <ExternalLink aria-hidden className="size-4" />
            {t('resolve.look', { platform: name })}
          </a>
        )}
        {mayWrite && (
          <>
            <Button size="sm" isBusy={changes.resolve.isPending} onClick={() => answer('published')}>
              {t('resolve.isThere')}
            </Button>
            <Button size="sm" isBusy={changes.resolve.isPending} onClick={() => answer('not_published')}>
              {t('resolve.isNotThere')}
            </Button>
          </>
        )}
      </div>
    </div>
  )
}

type ChannelProblemProps = ChannelCardProps & { error: ChannelError }

/** Why a channel failed or is held, in a sentence, with the words of the platform and the next step. */
function ChannelProblem(props: ChannelProblemProps) {
  const { error, platform, channel, changes } = props
  const { t } = useTranslation(['posts', 'errors'])
  const { t: tErrors } = useTranslation('errors')
  const mayWrite = useMay('editor')
  const { title, sentence, next } = describeCode(error.code, error.message, tErrors)
  const platformName = platformNameOf(platform && [platform], channel.platform)
  const reason = useReason(error.reason, platformName)
  const hasFailed = channel.result.status === 'failed'
  // A held channel is sent by itself: to ask for sending it again would be wrong.
  const isHeld = channel.result.waiting?.reason === 'reconnect'
  return (
    <div className="flex flex-col gap-1 rounded-control bg-rust-wash p-3">
      <p className="font-medium">{title}</p>
      {/* The title says already that it was refused. */}
      {!isHeld && error.reason !== 'refused' && reason !== null && <p>{reason}</p>}
      <PlatformWords platformMessage={error.platformMessage} platform={platformName} />
      <p>{isHeld ? t('waiting.reconnect') : sentence}</p>
      <div className="mt-2 flex flex-wrap items-center gap-2 empty:hidden">
        {(isHeld || (hasFailed && next.includes('connections'))) && <Reconnect {...props} />}
        {hasFailed && mayWrite && (
          <Button size="sm" isBusy={changes.retry.isPending} onClick={() => changes.retry.mutate([channel.id])}>
            {t('retry.action')}
          </Button>
        )}
        {hasFailed && mayWrite && (next.includes('posts') || next.includes('media')) && (
          <Button size="sm" isBusy={changes.duplicate.isPending} onClick={() => changes.duplicate.mutate(undefined)}>
            {t('duplicate.edit')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** Starts here, without a way over the list of accounts. An account that is gone can only be connected anew, which is done there. */
function Reconnect({ connection, platform }: ChannelCardProps) {
  const { t } = useTranslation('posts')
  const { id: workspaceId } = useWorkspace()
  if (!useMay('admin')) return <p className="text-sm text-quiet">{t('askAdmin')}</p>
  if (connection && platform)
    return (
      <ConnectButton info={platform} connection={connection} size="sm" variant="primary">
        {t('reconnect')}
      </ConnectButton>
    )
  return (
    <Link to="/w/$workspaceId/integrations" params={{ workspaceId }} className={buttonLook({ size: 'sm', variant: 'primary' })}>
      {t('reconnect')}
    </Link>
  )
}

/** What a card and its parts show of a channel. */
type ChannelCardProps = {
  channel: Channel
  isDraft: boolean
  /** Missing after the account was disconnected. */
  connection: Connection | undefined
  platform: PlatformInfo | undefined
  /** What it gets instead of the common content. */
  options: Post['platformOptions'][string] | undefined
  /** The type of the post. */
  type: Post['type']
  /** What the checks of a draft found, of all its channels. */
  issues: Post['issues']
  timeline: readonly TimelineEntry[]
  changes: PostChanges
}
