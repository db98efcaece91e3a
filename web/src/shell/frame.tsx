import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Toasts } from '../ui/overlay/toasts.tsx'
import { followLiveUpdates } from './live-updates.ts'
import { PhoneBar } from './phone-bar.tsx'
import { PhoneTop } from './phone-top.tsx'
import { followSignOut } from './session-channel.ts'
import { SideBar } from './side-bar.tsx'
import { useSignedOut } from './signed-out.ts'
import { SkipLink } from './skip-link.tsx'
import { useShortcuts } from './use-shortcuts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useWorkspace } from '../workspaces/use-workspace.ts'

const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }))
const SignedOutDialog = lazy(async () => ({ default: (await import('./signed-out-dialog.tsx')).SignedOutDialog }))
const PublishingBanner = lazy(async () => ({ default: (await import('./publishing-banner.tsx')).PublishingBanner }))
const KeysDialog = lazy(async () => ({ default: (await import('./keys-dialog.tsx')).KeysDialog }))

/** Everything around a page of a workspace: navigation, command palette, messages, sign-in when the session has ended. */
export function Frame() {
  const { t } = useTranslation('shell')
  const [overlay, setOverlay] = useState<'palette' | 'keys' | null>(null)
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
      <SideBar onSearch={() => setOverlay('palette')} onShowKeys={() => setOverlay('keys')} />
      <PhoneTop />
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
        {isSignedOut && <SignedOutDialog />}
      </Suspense>
      <Toasts closeLabel={t('close')} />
    </div>
  )
}
