import { CircleCheck, CircleDashed } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PlatformApp } from '../../api/platform-apps.ts'
import { Badge } from '../../ui/badge.tsx'

/** Whether accounts can be connected, and who set that up. */
export function PlatformState({ subject: { needsApp, app } }: { subject: PlatformApp }) {
  const { t } = useTranslation('platforms')
  if (!needsApp) return <Badge>{t('states.none')}</Badge>
  if (app === null)
    return (
      <Badge tone="draft" icon={<CircleDashed aria-hidden />}>
        {t('states.missing')}
      </Badge>
    )
  if (app.source === 'simulator') return <Badge tone="plum">{t('states.simulator')}</Badge>
  return (
    <Badge tone="verdigris" icon={<CircleCheck aria-hidden />}>
      {t(`states.${app.source}`)}
    </Badge>
  )
}
