import type { PlatformInfo } from '@carillon/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { Check, Minus, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type ConnectAttempt, confirmConnect, connectAttempt } from '../api/integrations.ts'
import { platformsList } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Button, buttonLook } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { CopyText } from '../ui/copy-text.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { hasReadableHandle } from './account-label.ts'
import { PlatformMark } from './platform-mark.tsx'
import { platformNameOf } from './platform-name.ts'
import { useStartConnect } from './use-start-connect.ts'

/** Where the browser comes back to from a platform: the account is confirmed here, or the page says why it was not connected. */
export function AttemptPage() {
  const { t } = useTranslation('connections')
  const { attempt: id = '' } = useSearch({ from: '/w/$workspaceId/integrations/attempt' })
  const { data: attempt, error, refetch } = useQuery(connectAttempt(id))
  const { data: platforms } = useQuery(platformsList())
  const info = platforms?.find(({ platform }) => platform === attempt?.platform)
  return (
    <div className="flex max-w-2xl flex-col gap-6">
      <PageHeader title={t(`attempt.${error ? 'failed' : (attempt?.state ?? 'loading')}`)} />
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !attempt && <SkeletonLines label={t('loading')} />}
      {attempt?.state === 'confirm' && <ConfirmAccount id={id} attempt={attempt} info={info} />}
      {attempt?.state === 'failed' && <ConnectFailure attempt={attempt} info={info} />}
      {attempt?.state === 'connected' && <AlreadyConnected />}
    </div>
  )
}

/** The page was opened again after the account had been confirmed. */
function AlreadyConnected() {
  const { t } = useTranslation('connections')
  const { id: workspaceId } = useWorkspace()
  return (
    <EmptyState
      title={t('attempt.already')}
      actions={
        <Link to="/w/$workspaceId/integrations" params={{ workspaceId }} className={buttonLook({ variant: 'primary' })}>
          {t('toIntegrations')}
        </Link>
      }
    />
  )
}

type ConfirmAccountProps = { id: string; attempt: ConnectAttempt; info: PlatformInfo | undefined }

/** Names the workspace, the platform and the account. Nothing is stored before the button is pressed. */
function ConfirmAccount({ id, attempt, info }: ConfirmAccountProps) {
  const { t } = useTranslation('connections')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { workspace, account, missing, instanceUrl } = attempt
  const name = account?.displayName ?? ''
  const handle = account && hasReadableHandle(account) ? `@${account.handle}` : null
  const platform = platformNameOf(info && [info], attempt.platform)
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

type ConnectFailureProps = { attempt: ConnectAttempt; info: PlatformInfo | undefined }

/** Why an account was not connected: the platform's own words, what to do, and the facts that its developer portal asks for. */
function ConnectFailure({ attempt, info }: ConnectFailureProps) {
  const { t } = useTranslation('connections')
  const { mutate, isPending, isSuccess, error } = useStartConnect()
  const platform = platformNameOf(info && [info], attempt.platform)
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

type ScopeListProps = {
  asked: readonly string[]
  /** Null where the platform does not say what was granted. */
  granted: readonly string[] | null
}

/** The permissions that the platform was asked for, and which of them were granted. */
function ScopeList({ asked, granted }: ScopeListProps) {
  const { t } = useTranslation('connections')
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {asked.map((scope) => (
        <li key={scope} className="flex flex-wrap items-center gap-2">
          <code className="font-mono break-all">{scope}</code>
          {granted !== null && (
            <span className="inline-flex items-center gap-1 text-quiet [&_svg]:size-3.5">
              {granted.includes(scope) ? <Check aria-hidden /> : <Minus aria-hidden />}
              {granted.includes(scope) ? t('failure.granted') : t('failure.notGranted')}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
