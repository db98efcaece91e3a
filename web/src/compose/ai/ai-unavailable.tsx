import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { buttonLook } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useCompose } from '../compose-context.ts'

/** Why there are no suggestions: this install has no model, or the plan of the workspace does not include it. */
export function AiUnavailable({ hasModel }: { hasModel: boolean }) {
  const { t } = useTranslation('compose')
  const { workspaceId } = useCompose()
  if (!hasModel) return <Notice title={t('ai.notSetUp.title')}>{t('ai.notSetUp.sentence')}</Notice>
  return (
    <Notice
      title={t('ai.notInPlan.title')}
      actions={
        <Link
          to="/w/$workspaceId/settings/$section"
          params={{ workspaceId, section: 'plan' }}
          className={buttonLook({ size: 'sm' })}
        >
          {t('ai.notInPlan.show')}
        </Link>
      }
    >
      {t('ai.notInPlan.sentence')}
    </Notice>
  )
}
