import type { TimelineEntry } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { describeCode } from '../errors/describe-error.ts'
import { formatTime } from '../time/format-time.ts'
import { useTimeStyle } from '../workspaces/use-time-style.ts'
import { PlatformWords, useReason } from './channel-reason.tsx'

const dots: Readonly<Record<TimelineEntry['stage'], string>> = {
  queued: 'bg-dusk',
  staged: 'bg-bell',
  sent: 'bg-bell',
  confirmed: 'bg-verdigris',
  failed: 'bg-rust',
  unconfirmed: 'bg-plum',
  resolved: 'bg-verdigris',
}

type ChannelTimelineProps = { entries: readonly TimelineEntry[]; platform: string; isOpen: boolean }

/** What happened to a channel, oldest first, with the answers of the platform. */
export function ChannelTimeline({ entries, platform, isOpen }: ChannelTimelineProps) {
  const { t } = useTranslation('timeline')
  const style = useTimeStyle()
  return (
    <details open={isOpen} className="border-t border-line pt-3">
      <summary className="min-h-6 cursor-pointer text-sm text-quiet hover:text-ink">{t('title')}</summary>
      <ol className="mt-2 flex flex-col gap-2">
        {entries.map((entry) => (
          <li key={`${entry.at} ${entry.stage} ${entry.attempt}`} className="flex gap-2.5 text-sm">
            <span aria-hidden="true" className={`mt-1.5 size-2 shrink-0 rounded-full ${dots[entry.stage]}`} />
            <div className="min-w-0">
              <p>
                <span className="font-medium">{t(entry.code === 'post_changed' ? 'changed' : entry.stage)}</span>{' '}
                <time dateTime={entry.at} className="figures text-quiet">
                  {formatTime(entry.at, 'dayAndTime', style)}
                </time>
                {entry.attempt > 1 && <span className="text-quiet"> · {t('attempt', { number: entry.attempt })}</span>}
              </p>
              <Said entry={entry} platform={platform} />
              {entry.retryAt !== null && (
                <p className="text-quiet">{t('retryAt', { when: formatTime(entry.retryAt, 'dayAndTime', style) })}</p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </details>
  )
}

function Said({ entry, platform }: { entry: TimelineEntry; platform: string }) {
  const { t, i18n } = useTranslation('timeline')
  const { t: tErrors } = useTranslation('errors')
  const { stage, code, message, platformCode } = entry
  const reason = useReason(entry.reason, platform)
  // Without a reason the server's sentence, which is English, may still know more than the code, such as which file cannot be used.
  const sentence = reason ?? (i18n.language === 'en' ? message : null)
  if (stage === 'resolved') return <p className="text-quiet">{t(code === 'published' ? 'wasThere' : 'wasNotThere')}</p>
  if (sentence === null && (code === null || code === 'post_changed')) return null
  return (
    <>
      <p className="break-words text-quiet">
        {sentence ?? describeCode(code ?? '', '', tErrors).title}
        {platformCode !== null && ` (${platformCode})`}
      </p>
      <PlatformWords platformMessage={entry.platformMessage} platform={platform} />
    </>
  )
}
