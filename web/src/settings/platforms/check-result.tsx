import { useTranslation } from 'react-i18next'
import type { AppCheck, Verdict } from '../../api/platform-apps.ts'
import { Notice } from '../../ui/notice.tsx'

const kinds = { accepted: 'done', refused: 'problem', unknown: 'info' } as const

/** What the platform said about the app, and no more than that. */
export function CheckResult({ check: { app, redirect }, name }: { check: AppCheck; name: string }) {
  const { t } = useTranslation('platforms')
  return (
    <div className="flex flex-col gap-3">
      <Notice kind={kinds[app.outcome]} title={t(`check.${app.outcome}`, { platform: name })}>
        <Said verdict={app} name={name} />
        {app.outcome === 'refused' && <p>{t('check.refusedText')}</p>}
        {app.outcome === 'unknown' && <p>{t('check.unknownText')}</p>}
        {app.outcome !== 'refused' && redirect.outcome === 'unknown' && <p>{t('check.redirectUnknown')}</p>}
      </Notice>
      {redirect.outcome === 'refused' && (
        <Notice kind="problem" title={t('check.redirectRefused', { platform: name })}>
          <Said verdict={redirect} name={name} />
          <p>{t('check.redirectRefusedText')}</p>
        </Notice>
      )}
    </div>
  )
}

function Said({ verdict: { outcome, said }, name }: { verdict: Verdict; name: string }) {
  const { t } = useTranslation('platforms')
  if (said === null || outcome === 'accepted') return null
  return <p>{t('check.said', { platform: name, words: said })}</p>
}
