import type { Connection, PlatformInfo } from '@carillon/sdk'
import { EllipsisVertical, RefreshCw, Unplug } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { avatarAddress } from '../api/integrations.ts'
import { Badge } from '../ui/badge.tsx'
import { iconButtonLook } from '../ui/icon-button-look.ts'
import { Menu, MenuItem } from '../ui/overlay/menu.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { accountLabel, hasReadableHandle } from './account-label.ts'
import { ConnectButton } from './connect-button.tsx'
import { ConnectionBadge } from './connection-badge.tsx'
import { ConnectionFacts } from './connection-facts.tsx'
import { MarkedAvatar } from './marked-avatar.tsx'
import { TargetPicker } from './target-picker.tsx'

const DisconnectDialog = lazy(async () => ({ default: (await import('./disconnect-dialog.tsx')).DisconnectDialog }))

type ConnectionCardProps = {
  connection: Connection
  /** Missing for a platform that this install no longer has. */
  info: PlatformInfo | undefined
  canManage: boolean
}

/** One account: who it is, its state with the reason, what is at stake, and the one thing to do. */
export function ConnectionCard({ connection, info, canManage }: ConnectionCardProps) {
  const { t } = useTranslation('connections')
  const { id: workspaceId } = useWorkspace()
  const { displayName, handle, status, instanceUrl } = connection
  const platform = info?.name ?? connection.platform
  const needsPerson = status === 'needs_reconnect' || status === 'expiring'
  const where = instanceUrl === null ? platform : `${platform} · ${new URL(instanceUrl).host}`
  const line = hasReadableHandle(connection) ? `${where} · @${handle}` : where
  return (
    <li
      className={`flex min-w-0 flex-col gap-4 rounded-card border bg-surface p-5 ${status === 'needs_reconnect' ? 'border-rust' : 'border-line'}`}
    >
      <div className="flex items-start gap-4">
        <MarkedAvatar name={displayName} src={avatarAddress(workspaceId, connection)} platform={connection.platform} />
        <div className="min-w-0 flex-1">
          <h3 className="truncate text-lg font-semibold">{displayName}</h3>
          <p className="truncate text-sm text-quiet" title={line}>
            {line}
          </p>
        </div>
        {canManage && <CardMenu connection={connection} platform={platform} />}
      </div>
      <div className="flex flex-wrap gap-1.5">
        <ConnectionBadge status={status} />
        {info?.connect.simulated && <Badge>{t('simulated')}</Badge>}
      </div>
      <ConnectionFacts connection={connection} platform={platform} />
      {canManage && <TargetPicker connection={connection} />}
      {canManage && needsPerson && info && (
        <div className="mt-auto">
          <ConnectButton
            info={info}
            connection={connection}
            variant={status === 'needs_reconnect' ? 'primary' : 'secondary'}
            icon={<RefreshCw aria-hidden />}
          >
            {t('reconnect')}
            <span className="sr-only"> {accountLabel(connection)}</span>
          </ConnectButton>
        </div>
      )}
    </li>
  )
}

function CardMenu({ connection, platform }: { connection: Connection; platform: string }) {
  const { t } = useTranslation('connections')
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            aria-label={t('cardMenu', { account: accountLabel(connection), platform })}
            className={`${iconButtonLook} -mt-2 -mr-2 shrink-0`}
          >
            <EllipsisVertical aria-hidden />
          </button>
        }
      >
        <MenuItem icon={<Unplug aria-hidden />} isDangerous onSelect={() => setIsAsking(true)}>
          {t('disconnect.open')}
        </MenuItem>
      </Menu>
      {isAsking && (
        <Suspense>
          <DisconnectDialog connection={connection} platform={platform} onClose={() => setIsAsking(false)} />
        </Suspense>
      )}
    </>
  )
}
