import type { Post } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'

type OwnOptions = Post['platformOptions'][string]

/** What an account gets instead of the common content. Whoever reviews the post must see it: it is what will be published there. */
export function ChannelOwn({ options }: { options: OwnOptions }) {
  const { t } = useTranslation('posts')
  const { title, text, linkUrl, firstComment } = options
  const rows = [
    { label: t('own.title'), value: title },
    { label: t('own.text'), value: text },
    { label: t('own.link'), value: linkUrl },
    { label: t('own.comment'), value: typeof firstComment === 'object' && firstComment ? firstComment.text : firstComment },
  ].filter(({ value }) => value !== undefined)
  if (rows.length === 0) return null
  return (
    <dl className="flex flex-col gap-2 rounded-control bg-sunken p-3">
      {rows.map(({ label, value }) => (
        <div key={label}>
          <dt className="text-sm text-quiet">{label}</dt>
          <dd className="break-words whitespace-pre-wrap">{value || t('own.none')}</dd>
        </div>
      ))}
    </dl>
  )
}
