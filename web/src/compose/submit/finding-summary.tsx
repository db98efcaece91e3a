import { useTranslation } from 'react-i18next'
import { PlatformMark } from '../../connections/platform-mark.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useCompose } from '../compose-context.ts'
import { useDescribeFinding } from '../editor/use-describe-finding.ts'
import type { Finding } from '../state/findings.ts'

/** After a refused attempt: everything that is in the way, each with a button that leads to its field. */
export function FindingSummary({ findings }: { findings: readonly Finding[] }) {
  const { t } = useTranslation('compose')
  const { accounts, dispatch } = useCompose()
  const describe = useDescribeFinding()
  const accountOf = (slug: string | null) => accounts.find((account) => account.slug === slug)
  const show = ({ slug, path }: Finding) => {
    if (slug !== null) dispatch({ type: 'showTab', tab: slug })
    requestAnimationFrame(() => focusField(path))
  }
  return (
    <Notice kind="problem" title={t('summary.title', { count: findings.length })}>
      <ul className="flex flex-col gap-1">
        {findings.map((finding) => {
          const account = accountOf(finding.slug)
          return (
            <li key={`${finding.slug} ${finding.path} ${finding.code} ${finding.message}`} className="flex items-start gap-2">
              {account && <PlatformMark platform={account.platform.platform} className="mt-1 size-4" />}
              <button type="button" className="min-h-6 min-w-0 text-left underline" onClick={() => show(finding)}>
                {account && `${account.connection.displayName}: `}
                {describe(finding)}
              </button>
            </li>
          )
        })}
      </ul>
    </Notice>
  )
}

const fieldIds: Readonly<Record<string, string>> = {
  text: '#compose-text',
  title: '#compose-title',
  linkUrl: '#compose-linkUrl',
  firstComment: '#compose-firstComment',
  thread: '#compose-thread button',
  connections: '#compose-accounts button',
  scheduledAt: '#compose-when [data-day-field]',
  timezone: '#compose-when input[role="combobox"]',
}

function focusField(path: string): void {
  const part = /^thread\[(\d+)\]/.exec(path)?.[1]
  const selector =
    fieldIds[path] ??
    (part === undefined ? undefined : `#compose-thread-${part}`) ??
    (path.startsWith('medias') ? '#compose-files button' : '[role="tabpanel"] [aria-invalid="true"]')
  const field = document.querySelector<HTMLElement>(selector) ?? document.querySelector<HTMLElement>('[role="tabpanel"]')
  field?.scrollIntoView({ block: 'center' })
  field?.focus()
}
