import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, buttonLook } from '../ui/button.tsx'
import { useCopy } from '../ui/use-copy.ts'
import { Notice } from '../ui/notice.tsx'
import { describeError, type DescribedError } from './describe-error.ts'
import type { NextStep } from './next-steps.ts'

type ErrorNoticeProps = {
  error: unknown
  /** Shown as "Try again" where that can help. */
  onRetry?: () => void
  /** Details that the form already shows at its fields are not listed again. */
  hidesDetails?: boolean
}

/** An error inside of a page: what happened, in a sentence, and what to do next. */
export function ErrorNotice({ error, onRetry, hidesDetails = false }: ErrorNoticeProps) {
  const { t } = useTranslation('errors')
  const described = describeError(error, t)
  const { title, sentence, details, traceId, retryAfterSeconds } = described
  return (
    <Notice kind="problem" title={title} actions={<NextSteps described={described} onRetry={onRetry} />}>
      {sentence}
      {!hidesDetails && details.length > 0 && (
        <ul className="mt-2 list-disc pl-5">
          {details.map((detail) => (
            <li key={`${detail.path} ${detail.message}`}>{detail.message}</li>
          ))}
        </ul>
      )}
      {retryAfterSeconds !== null && <Countdown seconds={retryAfterSeconds} />}
      {traceId !== null && described.next.includes('copy') && (
        <p className="mt-1 text-xs break-all text-quiet">{t('number', { traceId })}</p>
      )}
    </Notice>
  )
}

function NextSteps({ described, onRetry }: { described: DescribedError; onRetry: (() => void) | undefined }) {
  const { workspaceId } = useParams({ strict: false })
  const steps = described.next.flatMap((step) => {
    const element = renderStep(step, { described, onRetry, workspaceId })
    return element === null ? [] : [<span key={step}>{element}</span>]
  })
  return steps.length > 0 ? steps : null
}

type StepContext = { described: DescribedError; onRetry: (() => void) | undefined; workspaceId: string | undefined }

function renderStep(step: NextStep, { described, onRetry, workspaceId }: StepContext): ReactNode {
  if (step === 'retry') return onRetry ? <StepButton step={step} onClick={onRetry} /> : null
  if (step === 'reload') return <StepButton step={step} onClick={() => location.reload()} />
  if (step === 'copy') return described.traceId === null ? null : <CopyNumber text={described.traceId} />
  const to = linkOf(step, workspaceId)
  return to === null ? null : <StepLink step={step} to={to} />
}

const placesInWorkspace: Partial<Record<NextStep, string>> = {
  connections: 'integrations',
  members: 'settings/members',
  plan: 'settings/plan',
  posts: 'posts',
  media: 'media',
}

function linkOf(step: NextStep, workspaceId: string | undefined): string | null {
  if (step === 'forgot') return '/forgot'
  if (step === 'home' || step === 'workspaces') return '/'
  // In a workspace a dialog asks for it above the page; on the page for signing in there is nothing to go to.
  if (step === 'sign_in') return workspaceId === undefined && location.pathname !== '/sign-in' ? '/sign-in' : null
  const place = placesInWorkspace[step]
  return place === undefined || workspaceId === undefined ? null : `/w/${workspaceId}/${place}`
}

function StepButton({ step, onClick }: { step: NextStep; onClick: () => void }) {
  const { t } = useTranslation('errors')
  return (
    <Button size="sm" onClick={onClick}>
      {t(`next.${step}`)}
    </Button>
  )
}

function StepLink({ step, to }: { step: NextStep; to: string }) {
  const { t } = useTranslation('errors')
  return (
    <Link to={to} className={buttonLook({ size: 'sm' })}>
      {t(`next.${step}`)}
    </Link>
  )
}

function CopyNumber({ text }: { text: string }) {
  const { t } = useTranslation('errors')
  const [isCopied, copy] = useCopy(text)
  return (
    <Button size="sm" onClick={copy}>
      {isCopied ? t('copied') : t('next.copy')}
    </Button>
  )
}

function Countdown({ seconds }: { seconds: number }) {
  const { t } = useTranslation('errors')
  const [left, setLeft] = useState(Math.ceil(seconds))
  useEffect(() => {
    const timer = setInterval(() => setLeft((before) => Math.max(0, before - 1)), 1000)
    return () => clearInterval(timer)
  }, [])
  return left > 0 ? <p className="figures mt-1 text-sm">{t('waiting', { seconds: left })}</p> : null
}
