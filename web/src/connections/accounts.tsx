import type { Connection, PlatformInfo } from '@carillon/sdk'
import { Plug } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../ui/empty-state.tsx'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
import { ConnectionCard } from './connection-card.tsx'
import { TrySimulated } from './try-simulated.tsx'

type AccountsProps = { connections: readonly Connection[]; platforms: readonly PlatformInfo[]; canManage: boolean }

/** Those that need a person come first. */
const order: readonly Connection['status'][] = ['needs_reconnect', 'expiring', 'active', 'disconnected']

export function Accounts({ connections, platforms, canManage }: AccountsProps) {
  const { t } = useTranslation('connections')
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusAfterRemoval(connections.length, heading)
  if (connections.length === 0)
    return (
      <section className="rounded-card border border-dashed border-line">
        <EmptyState title={t('empty.title')} icon={<Plug aria-hidden />} actions={canManage ? <TrySimulated /> : undefined}>
          {canManage ? t('empty.sentence') : t('empty.ask')}
        </EmptyState>
      </section>
    )
  const sorted = connections.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
  return (
    <section aria-labelledby="accounts" className="flex flex-col gap-4">
      <h2 id="accounts" ref={heading} tabIndex={-1} className="font-serif text-xl outline-none">
        {t('accountsTitle')}
      </h2>
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {sorted.map((connection) => (
          <ConnectionCard
            key={connection.id}
            connection={connection}
            info={platforms.find(({ platform }) => platform === connection.platform)}
            canManage={canManage}
          />
        ))}
      </ul>
    </section>
  )
}
