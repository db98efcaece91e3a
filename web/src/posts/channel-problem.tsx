import type { ChannelError } from '@carillon/sdk'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { describeCode } from '../errors/describe-error.ts'
import { Button, buttonLook } from '../ui/button.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import type { ChannelCardProps } from './channel-card-props.ts'

/** Why a channel failed, in a sentence, with the words of the platform and the next step. */
export function ChannelProblem({ error, platform, channel, changes }: ChannelCardProps & { error: ChannelError }) {
  const { t } = useTranslation(['posts', 'errors'])
  const { t: tErrors } = useTranslation('errors')
  const { id: workspaceId } = useWorkspace()
  const { title, sentence, next } = describeCode(error.code, error.message, tErrors)
  // Without a code of the platform, the sentence is our own and not a quotation.
  const quotes = error.platformCode !== null && !sentence.includes(error.message)
  const hasFailed = channel.result.status === 'failed'
  return (
    <div className="flex flex-col gap-1 rounded-control bg-rust-wash p-3">
      <p className="font-medium">{title}</p>
      <p>{sentence}</p>
      {quotes && (
        <p className="text-sm break-words text-quiet">
          {t('platformSaid', { platform: platform?.name ?? channel.platform, message: error.message })}
        </p>
      )}
      {hasFailed && (
        <div className="mt-2 flex flex-wrap gap-2">
          {next.includes('connections') && (
            <Link
              to="/w/$workspaceId/integrations"
              params={{ workspaceId }}
              className={buttonLook({ size: 'sm', variant: 'primary' })}
            >
              {t('reconnect')}
            </Link>
          )}
          <Button size="sm" isBusy={changes.retry.isPending} onClick={() => changes.retry.mutate([channel.id])}>
            {t('retry.action')}
          </Button>
          {(next.includes('posts') || next.includes('media')) && (
            <Button size="sm" isBusy={changes.duplicate.isPending} onClick={() => changes.duplicate.mutate(undefined)}>
              {t('duplicate.edit')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
