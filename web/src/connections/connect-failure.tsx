import type { PlatformInfo } from '@carillon/sdk'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConnectAttempt } from '../api/integrations.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { Button, buttonLook } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { CopyText } from '../ui/copy-text.tsx'
import { Notice } from '../ui/notice.tsx'
import { ScopeList } from './scope-list.tsx'
import { useStartConnect } from './use-start-connect.ts'

type ConnectFailureProps = { attempt: ConnectAttempt; info: PlatformInfo | undefined }

/** Why an account was not connected: the platform's own words, what to do, and the facts that its developer portal asks for. */
export function ConnectFailure({ attempt, info }: ConnectFailureProps) {
  const { t } = useTranslation('connections')
  const { mutate, isPending, isSuccess, error } = useStartConnect()
  const platform = info?.name ?? attempt.platform
  const kind = kindOf(attempt)
  const startAgain = () =>
    mutate({
      platform: attempt.platform,
      ...(attempt.instanceUrl !== null && { instanceUrl: attempt.instanceUrl }),
      ...(attempt.connectionId !== null && { connectionId: attempt.connectionId }),
    })
  const params = { workspaceId: attempt.workspace.id }
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={startAgain} />}
      <Notice
        kind="problem"
        title={t(`failure.kinds.${kind}.title`, { platform })}
        actions={
          <>
            <Button variant="primary" icon={<RefreshCw aria-hidden />} isBusy={isPending || isSuccess} onClick={startAgain}>
              {t('failure.again')}
            </Button>
            <Link to="/w/$workspaceId/integrations" params={params} className={buttonLook({})}>
              {t('toIntegrations')}
            </Link>
          </>
        }
      >
        {attempt.platformMessage !== null && <p>{t('failure.words', { platform, message: attempt.platformMessage })}</p>}
        {/* Of the other kinds the next sentence says as much, and in the reader's language. */}
        {attempt.platformMessage === null && kind === 'refused' && attempt.message !== null && <p>{attempt.message}</p>}
        <p className="mt-1">{t(`failure.kinds.${kind}.next`, { platform })}</p>
      </Notice>
      <Card className="flex flex-col gap-5">
        <h2 className="font-serif text-lg">{t('failure.facts')}</h2>
        <Facts attempt={attempt} t={t} />
        {info?.connect.setting !== null && (
          <Link to="/w/$workspaceId/integrations/setup" params={params} hash={attempt.platform} className="self-start text-bell">
            {t('failure.setup', { platform })}
          </Link>
        )}
      </Card>
    </>
  )
}

function Facts({ attempt, t }: { attempt: ConnectAttempt; t: TFunction<'connections'> }) {
  const { redirectUri, scopesAsked, scopesGranted, platformCode, traceId } = attempt
  return (
    <dl className="flex flex-col gap-4">
      <Fact name={t('redirectUri')}>
        <CopyText label={t('redirectUri')} text={redirectUri} copyLabel={t('copy')} copiedLabel={t('copied')} />
        <p className="mt-1 text-sm text-quiet">{t('failure.redirectHint')}</p>
      </Fact>
      {scopesAsked.length > 0 && (
        <Fact name={t('scopes')}>
          <ScopeList asked={scopesAsked} granted={scopesGranted} />
        </Fact>
      )}
      {platformCode !== null && (
        <Fact name={t('failure.platformCode')}>
          <code className="font-mono text-sm break-all">{platformCode}</code>
        </Fact>
      )}
      {traceId !== null && (
        <Fact name={t('failure.traceId')}>
          <code className="font-mono text-sm break-all">{traceId}</code>
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="mb-1 text-sm font-medium">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}

type FailureKind = 'canceled' | 'refused' | 'differs' | 'expired' | 'notSetUp' | 'unavailable'

/** `access_denied` is OAuth's own code for a person who did not agree (RFC 6749, 4.1.2.1). */
function kindOf({ code, platformCode }: ConnectAttempt): FailureKind {
  if (platformCode === 'access_denied') return 'canceled'
  if (code === 'connect_account_differs') return 'differs'
  if (code === 'connect_expired') return 'expired'
  if (code === 'platform_not_configured') return 'notSetUp'
  return code === 'connect_refused' ? 'refused' : 'unavailable'
}
