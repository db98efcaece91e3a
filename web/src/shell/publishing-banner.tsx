import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { operatorAccess, publishingObstacle } from '../api/operator.ts'
import { buttonLook } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useMay, useWorkspace } from '../workspaces/use-workspace.ts'

/** Above every page while posts are accepted and not sent, for those who can do something about it. */
export function PublishingBanner() {
  const { t } = useTranslation('operator')
  const { id: workspaceId } = useWorkspace()
  const isAdmin = useMay('admin')
  const { data: isOperator = false } = useQuery(operatorAccess())
  const { data: obstacle } = useQuery({ ...publishingObstacle(workspaceId), enabled: isAdmin || isOperator })
  if (!obstacle || !(isAdmin || isOperator)) return null
  return (
    <div className="mb-4">
      <Notice
        kind="problem"
        title={t('banner.title')}
        actions={
          isOperator && (
            <Link
              to="/w/$workspaceId/settings/$section"
              params={{ workspaceId, section: 'operator' }}
              className={buttonLook({ size: 'sm' })}
            >
              {t('banner.show')}
            </Link>
          )
        }
      >
        {t(`banner.${obstacle}`)} {t(isOperator ? `banner.next.${obstacle}` : 'banner.next.tell')}
      </Notice>
    </div>
  )
}
