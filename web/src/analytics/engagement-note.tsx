import { useTranslation } from 'react-i18next'

type EngagementNoteProps = {
  platforms: readonly string[]
  nameOf: (platform: string) => string
  /** The figures that the rate of a platform adds up; none if it has no rate. */
  partsOf: (platform: string) => readonly string[]
}

const parts = ['likes', 'comments', 'shares', 'saves'] as const

/** What the engagement rate is, and on which of these platforms a part of it is missing. */
export function EngagementNote({ platforms, nameOf, partsOf }: EngagementNoteProps) {
  const { t, i18n } = useTranslation('analytics')
  const list = new Intl.ListFormat(i18n.language)
  const unrated = platforms.filter((platform) => partsOf(platform).length === 0)
  const partial = platforms.flatMap((platform) => {
    const told = partsOf(platform)
    const missing = told.length === 0 ? [] : parts.filter((part) => !told.includes(part))
    return missing.length === 0 ? [] : [{ platform, missing: list.format(missing.map((part) => t(`metrics.${part}`))) }]
  })
  return (
    <p className="max-w-prose text-sm text-quiet">
      {t('engagement.definition')}
      {unrated.length > 0 && ` ${t('engagement.unrated', { names: list.format(unrated.map(nameOf)) })}`}
      {partial.map(({ platform, missing }) => ` ${t('engagement.partial', { name: nameOf(platform), missing })}`)}
    </p>
  )
}
