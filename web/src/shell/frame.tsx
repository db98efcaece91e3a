import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { Menu as MenuIcon, PenLine } from 'lucide-react'
import { Suspense, lazy, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { workspacesAttention } from '../api/queries.gen.ts'
import { Logo } from '../theme/logo.tsx'
import { LazyMenu } from '../ui/overlay/lazy-menu.tsx'
import { Toasts } from '../ui/overlay/toasts.tsx'
import { useMay, useWorkspace } from '../workspaces/use-workspace.ts'
import { Bell } from './bell.tsx'
import { followLiveUpdates } from './live-updates.ts'
import { places } from './places.tsx'
import { followSignOut } from './session-channel.ts'
import { SideBar } from './side-bar.tsx'
import { useSignedOut } from './signed-out.ts'
import { useShortcuts } from './use-shortcuts.ts'

const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }))
const SignedOutDialog = lazy(async () => ({ default: (await import('./signed-out-dialog.tsx')).SignedOutDialog }))
const PublishingBanner = lazy(async () => ({ default: (await import('./publishing-banner.tsx')).PublishingBanner }))
const NoticesDialog = lazy(async () => ({ default: (await import('./notices-dialog.tsx')).NoticesDialog }))
const KeysDialog = lazy(async () => ({ default: (await import('./keys-dialog.tsx')).KeysDialog }))

/** Everything around a page of a workspace: navigation, command palette, messages, sign-in when the session has ended. */
export function Frame() {
  const { t } = useTranslation('shell')
  const [overlay, setOverlay] = useState<'palette' | 'keys' | 'notices' | null>(null)
  const queryClient = useQueryClient()
  const isSignedOut = useSignedOut()
  const { id } = useWorkspace()
  useEffect(() => followSignOut(), [])
  useEffect(() => followLiveUpdates(queryClient, id), [queryClient, id])
  useShortcuts({ openPalette: () => setOverlay('palette'), openKeys: () => setOverlay('keys') })
  const close = () => setOverlay(null)
  return (
    <div className="flex min-h-dvh flex-col md:flex-row">
      <SkipLink />
      <SideBar
        onSearch={() => setOverlay('palette')}
        onShowKeys={() => setOverlay('keys')}
        onNotices={() => setOverlay('notices')}
      />
      <PhoneTop onNotices={() => setOverlay('notices')} />
      <main id="page" className="min-w-0 flex-1 px-4 pt-4 pb-24 sm:px-6 md:px-8 md:pt-8 md:pb-12">
        <Suspense>
          <PublishingBanner />
        </Suspense>
        <Outlet />
      </main>
      <PhoneBar onSearch={() => setOverlay('palette')} />
      <Suspense>
        {overlay === 'palette' && <CommandPalette onClose={close} onShowKeys={() => setOverlay('keys')} />}
        {overlay === 'keys' && <KeysDialog onClose={close} />}
        {overlay === 'notices' && <NoticesDialog onClose={close} />}
        {isSignedOut && <SignedOutDialog />}
      </Suspense>
      <Toasts closeLabel={t('close')} />
    </div>
  )
}

/** On a phone, the workspace is named above the page. It is changed in the menu of the bar below. */
function PhoneTop({ onNotices }: { onNotices: () => void }) {
  const { name } = useWorkspace()
  return (
    <div className="flex items-center gap-2 px-4 pt-3 text-sm text-quiet sm:px-6 md:hidden">
      <Logo className="size-4 text-bell" />
      <span className="min-w-0 flex-1 truncate">{name}</span>
      <Bell
        onOpen={onNotices}
        className="relative -my-2 flex size-11 items-center justify-center rounded-control [&_svg]:size-5"
      />
    </div>
  )
}

/** The first stop of the Tab key: past the navigation, to the page. */
function SkipLink() {
  const { t } = useTranslation('shell')
  return (
    <a
      href="#page"
      className="sr-only z-50 rounded-control bg-bell px-4 py-2 font-medium text-on-bell focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
    >
      {t('skip')}
    </a>
  )
}

/** The navigation on a phone: at the bottom edge, where a thumb reaches it. */
function PhoneBar({ onSearch }: { onSearch: () => void }) {
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

const countMax = 99

/** On a phone: how much needs attention, as a number on a tile of the bar. */
function AttentionCount({ of }: { of: 'posts' | 'accounts' }) {
  const { t } = useTranslation('shell')
  const { id: workspaceId } = useWorkspace()
  const { data } = useQuery(workspacesAttention(workspaceId))
  if (!data) return null
  const { posts, needsReconnect, expiring } = data
  const count = of === 'posts' ? posts.failed + posts.unconfirmed + posts.late : needsReconnect + expiring
  if (count === 0) return null
  return (
    <span className="figures absolute top-1 left-1/2 ml-1.5 min-w-5 rounded-full bg-rust px-1 text-center text-2xs leading-5 font-medium text-on-rust">
      {count > countMax ? `${countMax}+` : count}
      <span className="sr-only">{` ${t('attention.title')}`}</span>
    </span>
  )
}
