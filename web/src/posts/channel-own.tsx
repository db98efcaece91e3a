import type { PlatformInfo, Post } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { mediaGet } from '../api/queries.gen.ts'
import { readSettings, type Setting } from '../compose/editor/read-settings.ts'
import { FileTile } from '../media/file-tile.tsx'
import { Thumbnail } from '../media/thumbnail.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'

type ChannelOwnProps = {
  options: Post['platformOptions'][string]
  /** Missing until the platforms are loaded. */
  platform: PlatformInfo | undefined
  type: Post['type']
}

/** What an account gets instead of the common content. Whoever reviews the post must see it: it is what will be published there. */
export function ChannelOwn({ options, platform, type }: ChannelOwnProps) {
  const { t } = useTranslation(['own', 'compose', 'posts'])
  const settings = useOwnSettings({ options, platform, type })
  const { title, text, linkUrl, firstComment, contentFormat, medias, mediaOptions = [] } = options
  const altTexts = mediaOptions.flatMap(({ alt }) => alt || []).join('\n')
  const comment = typeof firstComment === 'object' && firstComment ? firstComment.text : firstComment
  const texts = [
    { label: t('title'), value: title },
    { label: t('text'), value: text },
    { label: t('link'), value: linkUrl },
    { label: t('comment'), value: comment },
    ...(contentFormat ? [{ label: t('format'), value: t(`compose:formats.${contentFormat}`) }] : []),
    ...(altTexts === '' ? [] : [{ label: t('alt'), value: altTexts }]),
  ].filter(({ value }) => value !== undefined)
  if (texts.length === 0 && settings.length === 0 && medias === undefined) return null
  return (
    <dl className="flex flex-col gap-2 rounded-control bg-sunken p-3">
      {[...texts, ...settings].map(({ label, value }) => (
        <Row key={label} label={label}>
          {value || t('none')}
        </Row>
      ))}
      {medias && (
        <Row label={t('files')}>
          <span className="grid grid-cols-4 gap-2 pt-1">
            {medias.map((entry, at) => (
              <OwnFile key={entry} entry={entry} label={mediaOptions[at]?.alt || t('posts:file', { number: at + 1 })} />
            ))}
          </span>
        </Row>
      )}
    </dl>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-quiet">{label}</dt>
      <dd className="break-words whitespace-pre-wrap">{children}</dd>
    </div>
  )
}

/** A file of the library, or an address from which one is fetched. */
function OwnFile({ entry, label }: { entry: string; label: string }) {
  const { id: workspaceId } = useWorkspace()
  const isAddress = entry.includes('://')
  const { data: media } = useQuery({ ...mediaGet(workspaceId, entry), enabled: !isAddress })
  return (
    <span className="block aspect-square overflow-hidden rounded-control">
      {media?.thumbnailUrl ? (
        <Thumbnail media={media} alt={label} />
      ) : (
        <FileTile type={media?.type ?? null} name={media?.name ?? (isAddress ? entry : label)} pages={media?.pages ?? null} />
      )}
    </span>
  )
}

/** The settings that only the platform has, with the words of its form. Those that were left as they are are not listed. */
function useOwnSettings({ options, platform, type }: ChannelOwnProps): { label: string; value: string }[] {
  const { t, i18n } = useTranslation('own')
  if (!platform) return []
  const shown = { format: options.contentFormat ?? type, language: i18n.language }
  const write = (setting: Setting, value: unknown): string => {
    if (setting.kind === 'toggle') return t(value === true ? 'yes' : 'no')
    if (setting.kind === 'choice') return setting.choices.find((choice) => choice.value === value)?.label ?? String(value)
    return Array.isArray(value) ? value.join(', ') : String(value)
  }
  return readSettings(platform.settings, shown).flatMap((setting) => {
    const value: unknown = Object.entries(options).find(([name]) => name === setting.name)?.[1]
    return value === undefined || value === null ? [] : [{ label: setting.title, value: write(setting, value) }]
  })
}
