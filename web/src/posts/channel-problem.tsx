import type { ChannelError } from '@carillon/sdk'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ConnectButton } from '../connections/connect-button.tsx'
import { describeCode } from '../errors/describe-error.ts'
import { Button, buttonLook } from '../ui/button.tsx'
import { useMay } from '../workspaces/use-may.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import type { ChannelCardProps } from './channel-card-props.ts'
import { PlatformWords, useReason } from './channel-reason.tsx'

type ChannelProblemProps = ChannelCardProps & { error: ChannelError }

/** Why a channel failed or is held, in a sentence, with the words of the platform and the next step. */
export function ChannelProblem(props: ChannelProblemProps) {
  const { error, platform, channel, changes } = props
  const { t } = useTranslation(['posts', 'errors'])
  const { t: tErrors } = useTranslation('errors')
  const mayWrite = useMay('editor')
  const { title, sentence, next } = describeCode(error.code, error.message, tErrors)
  const platformName = platform?.name ?? channel.platform
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
