import type { Media } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { localeOf } from '../i18n/language.ts'
import { formatTime } from '../time/format-time.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { formatSize } from './format-size.ts'

export function MediaFacts({ media }: { media: Media }) {
  const { t, i18n } = useTranslation('media')
  const { timezone } = useWorkspace()
  const facts: [string, string][] = [
    [t('facts.kind'), media.mimeType],
    [t('facts.size'), formatSize(media.sizeBytes, i18n.language)],
  ]
  if (media.width !== null && media.height !== null) facts.push([t('facts.pixels'), `${media.width} × ${media.height}`])
  if (media.durationSeconds !== null) facts.push([t('facts.duration'), t('facts.seconds', { seconds: media.durationSeconds })])
  if (media.pages !== null) facts.push([t('facts.pages'), String(media.pages)])
  facts.push([t('facts.added'), formatTime(media.createdAt, 'day', { zone: timezone, language: localeOf(i18n.language) })])
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-quiet">{name}</dt>
          <dd className="figures break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
