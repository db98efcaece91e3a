import type { QueryClient } from '@tanstack/react-query'
import { auth } from '../api/auth.ts'

const channel = new BroadcastChannel('carillon-session')

/** Ends the session on the server and forgets everything that was loaded, in all tabs of this browser. */
export async function signOut(queryClient: QueryClient): Promise<void> {
  await auth.signOut()
  queryClient.clear()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches only this origin
  channel.postMessage('signed_out')
  location.assign('/sign-in')
}

/** The other tabs learn of it too. Returns a function that stops listening. */
export function followSignOut(): () => void {
  const leave = ({ data }: MessageEvent) => {
    if (data === 'signed_out') location.assign('/sign-in')
  }
  channel.addEventListener('message', leave)
  return () => channel.removeEventListener('message', leave)
}
