import { Link } from '@tanstack/react-router'
import { Menu as MenuIcon, PenLine } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { LazyMenu } from '../ui/overlay/lazy-menu.tsx'
import { useMay } from '../workspaces/use-may.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { AttentionCount } from './attention-count.tsx'
import { places } from './places.tsx'

/** The navigation on a phone: at the bottom edge, where a thumb reaches it. */
export function PhoneBar({ onSearch }: { onSearch: () => void }) {
  const { t } = useTranslation('shell')
  const { id } = useWorkspace()
  const mayWrite = useMay('editor')
  const [first, second, third] = places.filter(({ isInPhoneBar }) => isInPhoneBar)
  const link = (place: (typeof places)[number] | undefined) =>
    place && (
      <Link to={`/w/$workspaceId/${place.name}`} params={{ workspaceId: id }} className={tileLook}>
        <span className={iconBox}>{place.icon}</span>
        {t(`places.${place.name}`)}
        {place.name === 'posts' && <AttentionCount of="posts" />}
      </Link>
    )
  return (
    <nav
      aria-label={t('navigation')}
      className="fixed inset-x-0 bottom-0 z-30 grid auto-cols-fr grid-flow-col border-t border-line bg-sunken pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {link(first)}
      {link(second)}
      {mayWrite && (
        <Link to="/w/$workspaceId/compose" params={{ workspaceId: id }} className={tileLook}>
          <span className={`${iconBox} bell-shape bg-bell text-on-bell`}>
            <PenLine aria-hidden />
          </span>
          {t('composeShort')}
        </Link>
      )}
      {link(third)}
      <LazyMenu
        side="top"
        load={async () => {
          const { PhoneRows } = await import('./phone-rows.tsx')
          return () => <PhoneRows onSearch={onSearch} />
        }}
        trigger={
          <button type="button" className={tileLook}>
            <span className={iconBox}>
              <MenuIcon aria-hidden />
            </span>
            {t('more')}
            <AttentionCount of="accounts" />
          </button>
        }
      />
    </nav>
  )
}

// All marks have the same box, so that the words below them are on one line.
const iconBox = 'flex h-7 w-10 items-center justify-center'

const tileLook = [
  'relative flex min-h-14 flex-col items-center justify-center gap-0.5 text-2xs text-quiet no-underline',
  'aria-[current=page]:font-medium aria-[current=page]:text-bell [&_svg]:size-5',
].join(' ')
