import type { PlatformInfo } from '@carillon/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { confirmConnect, type ConnectAttempt } from '../api/integrations.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Button, buttonLook } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Notice } from '../ui/notice.tsx'
import { hasReadableHandle } from './account-label.ts'
import { ScopeList } from './scope-list.tsx'
import { PlatformMark } from './platform-mark.tsx'

type ConfirmAccountProps = { id: string; attempt: ConnectAttempt; info: PlatformInfo | undefined }

/** Names the workspace, the platform and the account. Nothing is stored before the button is pressed. */
export function ConfirmAccount({ id, attempt, info }: ConfirmAccountProps) {
  const { t } = useTranslation('connections')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { workspace, account, missing, instanceUrl } = attempt
  const name = account?.displayName ?? ''
  const handle = account && hasReadableHandle(account) ? `@${account.handle}` : null
  const platform = info?.name ?? attempt.platform
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => confirmConnect(id),
    async onSuccess({ slug }) {
      await queryClient.invalidateQueries({ queryKey: ['workspaces.connections', workspace.id] })
      const params = { workspaceId: workspace.id }
      await navigate({ to: '/w/$workspaceId/integrations', params, search: { connected: slug }, replace: true })
    },
  })
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={() => mutate()} />}
      <Card className="flex flex-col gap-5">
        <div className="flex items-center gap-4">
          <Avatar name={name} size="lg" />
          <div className="min-w-0">
            <p className="text-lg font-semibold break-words">{name}</p>
            <p className="flex flex-wrap items-center gap-1.5 text-sm text-quiet">
              <PlatformMark platform={attempt.platform} className="size-4" />
              <span className="break-all">{handle === null ? platform : `${handle} · ${platform}`}</span>
              {instanceUrl !== null && <span className="break-all">({new URL(instanceUrl).host})</span>}
            </p>
          </div>
        </div>
        <p>
          {t('attempt.what', { workspace: workspace.name, platform, account: handle === null ? name : `${name} (${handle})` })}
        </p>
        {missing.length > 0 && (
          <Notice kind="warning" title={t('attempt.missing')}>
            <ScopeList asked={attempt.scopesAsked} granted={attempt.scopesGranted} />
          </Notice>
        )}
        <p className="text-sm text-quiet">{t('attempt.nothing')}</p>
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Link to="/w/$workspaceId/integrations" params={{ workspaceId: workspace.id }} className={buttonLook({})}>
            {t('attempt.no')}
          </Link>
          <Button variant="primary" isBusy={isPending} onClick={() => mutate()}>
            {t('attempt.yes', { name })}
          </Button>
        </div>
      </Card>
    </>
  )
}
