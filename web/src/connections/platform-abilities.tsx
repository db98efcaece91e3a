import type { PlatformInfo } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'

/** What can be published on a platform, in a few words, from the facts that the server sends. */
export function PlatformAbilities({ info }: { info: PlatformInfo }) {
  const { t } = useTranslation('connections')
  const { text, photos, video, document, story, can } = info
  const words = [
    text.alone ? t('abilities.text', { count: text.max }) : t('abilities.caption', { count: text.max }),
    ...(photos ? [t('abilities.photos', { count: photos.max })] : []),
    ...(video ? [t('abilities.video')] : []),
    ...(document ? [t('abilities.document')] : []),
    ...(story ? [t('abilities.story')] : []),
    ...(can.firstComment ? [t('abilities.firstComment')] : []),
    ...(can.metrics ? [t('abilities.metrics')] : []),
  ]
  return <p className="figures text-sm text-quiet">{words.join(' · ')}</p>
}
