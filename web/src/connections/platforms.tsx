import type { Connection, PlatformInfo } from '@carillon/sdk'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { PlatformRow } from './platform-row.tsx'

type PlatformsProps = { connections: readonly Connection[]; platforms: readonly PlatformInfo[]; canManage: boolean }

/** Every platform. Those for which this install is set up come first. */
export function Platforms({ connections, platforms, canManage }: PlatformsProps) {
  const { t } = useTranslation('connections')
  const { id } = useWorkspace()
  const sorted = platforms.toSorted((a, b) => Number(b.connect.available) - Number(a.connect.available))
  return (
    <section aria-labelledby="platforms" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <div>
          <h2 id="platforms" className="font-serif text-xl">
            {t('platformsTitle')}
          </h2>
          <p className="mt-1 max-w-[68ch] text-sm text-quiet">{canManage ? t('platformsIntro') : t('platformsAsk')}</p>
        </div>
        {canManage && (
          <Link to="/w/$workspaceId/integrations/setup" params={{ workspaceId: id }} className="text-sm text-bell">
            {t('setup.link')}
          </Link>
        )}
      </div>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {sorted.map((info) => (
          <PlatformRow
            key={info.platform}
            info={info}
            count={connections.filter(({ platform }) => platform === info.platform).length}
            canManage={canManage}
          />
        ))}
      </ul>
    </section>
  )
}
