import { ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { describeCode } from '../errors/describe-error.ts'
import { Button } from '../ui/button.tsx'
import { useMay } from '../workspaces/use-may.ts'
import type { ChannelCardProps } from './channel-card-props.ts'
import { useReason } from './channel-reason.tsx'

/** The answer of the platform was lost: only a person can look whether the post is there. Sending it again could publish it twice. */
export function ChannelQuestion({ channel, connection, platform, changes }: ChannelCardProps) {
  const { t } = useTranslation('posts')
  const mayWrite = useMay('editor')
  const { t: tErrors } = useTranslation('errors')
  const { error, postUrl } = channel.result
  const { sentence } = describeCode(error?.code ?? 'outcome_unknown', error?.message ?? '', tErrors)
  const name = platform?.name ?? channel.platform
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
