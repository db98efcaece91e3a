import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { avatarAddress } from '../../api/integrations.ts'
import { connectionsCapabilities } from '../../api/queries.gen.ts'
import { accountLabel } from '../../connections/account-label.ts'
import { MarkedAvatar } from '../../connections/marked-avatar.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useCompose } from '../compose-context.ts'
import type { Account } from '../state/findings.ts'

/**
 * Who will publish the post, where the platform wants that said, and whether the account can post now. The platform is asked whenever this
 * part is opened.
 */
export function AccountState({ account: { connection, platform, capabilities } }: { account: Account }) {
  const { t } = useTranslation('compose')
  const { workspaceId } = useCompose()
  useQuery({ ...connectionsCapabilities(workspaceId, connection.id), retry: false, refetchOnMount: 'always' })
  const name = capabilities?.name ?? null
  const isBlocked = (capabilities?.blocked ?? null) !== null
  return (
    <>
      {name !== null && (
        <div className="flex items-center gap-4" data-creator>
          <MarkedAvatar name={name} src={avatarAddress(workspaceId, connection)} platform={connection.platform} />
          <div className="min-w-0">
            <p className="truncate font-medium">{name}</p>
            <p className="truncate text-sm text-quiet">
              {t('settings.postsAs', { account: accountLabel(connection), platform: platform.name })}
            </p>
          </div>
        </div>
      )}
      {isBlocked && (
        <Notice kind="warning" title={t('settings.blocked.title')}>
          {t('settings.blocked.sentence', { platform: platform.name })}
        </Notice>
      )}
    </>
  )
}
