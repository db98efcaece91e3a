import type { Connection, PlatformInfo } from '@carillon/sdk'
import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { avatarAddress } from '../../api/integrations.ts'
import { PlatformMark } from '../../connections/platform-mark.tsx'
import { platformNameOf } from '../../connections/platform-name.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { useCompose } from '../compose-context.ts'
import { useDescribeFinding, useFieldError } from '../editor/use-describe-finding.ts'

type AccountPickerProps = { connections: readonly Connection[]; platforms: readonly PlatformInfo[] }

/** The accounts of the workspace. Each is a switch: pressed means that the post goes there. */
export function AccountPicker({ connections, platforms }: AccountPickerProps) {
  const { t } = useTranslation('compose')
  const { workspaceId } = useCompose()
  const error = useFieldError('connections')
  const usable = connections.filter(({ status }) => status === 'active' || status === 'expiring')
  const broken = connections.filter(({ status }) => status === 'needs_reconnect')
  return (
    <section aria-label={t('accounts.title')} className="flex flex-col gap-2">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-sm font-medium">{t('accounts.title')}</h2>
        <Link to="/w/$workspaceId/integrations" params={{ workspaceId }} className="text-sm text-bell hover:text-bell-strong">
          {t('accounts.connect')}
        </Link>
      </div>
      <div className="flex flex-wrap gap-2">
        {usable.map((connection) => (
          <AccountSwitch
            key={connection.id}
            connection={connection}
            platform={platforms.find(({ platform }) => platform === connection.platform)}
          />
        ))}
      </div>
      {broken.length > 0 && (
        <p className="text-sm text-quiet">
          {t('accounts.broken', { names: [...new Set(broken.map(({ displayName }) => displayName))].join(', ') })}{' '}
          <Link to="/w/$workspaceId/integrations" params={{ workspaceId }} className="text-bell">
            {t('accounts.reconnect')}
          </Link>
        </p>
      )}
      {error && <p className="text-sm font-medium text-rust">{error}</p>}
    </section>
  )
}

function AccountSwitch({ connection, platform }: { connection: Connection; platform: PlatformInfo | undefined }) {
  const { t } = useTranslation('compose')
  const { state, dispatch, workspaceId, findings } = useCompose()
  const { slug, displayName } = connection
  const isChosen = state.accounts.includes(slug)
  const describe = useDescribeFinding()
  const refusal = isChosen ? findings.find((finding) => finding.slug === slug && finding.isBlocking) : undefined
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      title={refusal && describe(refusal)}
      onClick={() => dispatch({ type: 'toggleAccount', slug })}
      className={`flex min-h-11 items-center gap-2 rounded-control border py-1 pr-3 pl-1.5 text-left transition-colors ${look(isChosen, refusal !== undefined)}`}
    >
      <span className="relative">
        <Avatar name={displayName} src={avatarAddress(workspaceId, connection)} />
        {isChosen && (
          <span className="absolute -right-1 -bottom-1 flex size-4 items-center justify-center rounded-full bg-bell text-on-bell">
            <Check className="size-3" strokeWidth={3} aria-hidden />
          </span>
        )}
      </span>
      <span className="min-w-0">
        <span className="flex max-w-40 items-center gap-1.5 text-sm font-medium">
          <PlatformMark platform={connection.platform} className="size-4" />
          <span className="truncate">{platformNameOf(platform && [platform], connection.platform)}</span>
        </span>
        <span className="block max-w-40 truncate text-xs text-quiet">{displayName}</span>
        {refusal && <span className="block text-xs font-medium text-rust">{t('accounts.problem')}</span>}
      </span>
    </button>
  )
}

function look(isChosen: boolean, isRefused: boolean): string {
  if (isChosen && isRefused) return 'border-rust bg-rust-wash'
  return isChosen ? 'border-bell bg-bell-wash' : 'border-edge bg-surface hover:bg-hover'
}
