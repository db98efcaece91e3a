import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PlatformMark } from '../../connections/platform-mark.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useCompose } from '../compose-context.ts'
import { ownFieldNames } from '../state/compose-reducer.ts'

const commonTab = '*'

/** One tab for what all accounts share, and one for each account. A dot marks those that differ. */
export function AccountTabs({ children }: { children: ReactNode }) {
  const { t } = useTranslation('compose')
  const { state, dispatch, accounts } = useCompose()
  const own = accounts.map(({ slug, connection, platform }) => ({
    value: slug,
    label: (
      <>
        <PlatformMark platform={platform.platform} className="size-4" />
        {hasTwin(slug) ? `${platform.name} · ${connection.displayName}` : platform.name}
        {ownFieldNames(state.own[slug]).length > 0 && (
          <>
            <span className="size-2 rounded-full bg-bell" aria-hidden />
            <span className="sr-only">{t('tabs.differs')}</span>
          </>
        )}
      </>
    ),
    content: children,
  }))
  return (
    <Tabs
      label={t('tabs.label')}
      tabs={[{ value: commonTab, label: t('tabs.common'), content: children }, ...own]}
      value={state.tab ?? commonTab}
      onChange={(value) => dispatch({ type: 'showTab', tab: value === commonTab ? null : value })}
    />
  )

  function hasTwin(slug: string): boolean {
    const mine = accounts.find((account) => account.slug === slug)
    return accounts.some((other) => other.slug !== slug && other.platform.platform === mine?.platform.platform)
  }
}
