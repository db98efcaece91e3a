import type { QueryClient } from '@tanstack/react-query'
import { auth } from '../api/auth.ts'

const channel = new BroadcastChannel('carillon-session')

/** What this browser keeps of a person: drafts that were being written, and what was chosen last. Theme and language are the browser's own. */
const personal = ['carillon.compose.', 'carillon.accounts.', 'carillon.workspace', 'carillon.zones']

/**
 * Ends the session on the server and forgets everything that was loaded, in all tabs of this browser, and everything that the browser keeps of
 * the person: somebody else may sign in next. The server has the drafts.
 */
export async function signOut(queryClient: QueryClient): Promise<void> {
  await auth.signOut()
  queryClient.clear()
  for (const key of Object.keys(localStorage)) if (personal.some((prefix) => key.startsWith(prefix))) localStorage.removeItem(key)
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
