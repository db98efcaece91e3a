import type { Client } from '../kit/connector.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { because } from './errors.ts'
import { manifest } from './manifest.ts'
import type { Settings } from './settings.ts'

/** TikTok approves it apart from direct posting, so not every app may ask for it. */
export const inboxScope = 'video.upload'

const missingScopeCodes = ['scope_not_authorized', 'scope_permission_missed']

const { setting, value, hours } = manifest.handover

export const finishWithinMs = hours * 3_600_000

/** Whether the post goes to the inbox of the app, where a person finishes it. */
export function isForInbox(settings: Pick<Settings, typeof setting>): boolean {
  return settings[setting] === value
}

/** True also if it is not known what the account allowed: then TikTok decides. */
export function mayUseInbox({ credentials }: Pick<Client, 'credentials'>): boolean {
  return credentials.scopes?.includes(inboxScope) ?? true
}

/** Calls that need the permission for the inbox. The account can do everything else without it, so its absence refuses the post and not the account. */
export async function withInboxScope<T>(client: Client, call: () => Promise<T>): Promise<T> {
  const refusal = (cause?: PlatformError) =>
    new PlatformError({ kind: 'rejected', platformCode: cause?.platformCode ?? null, ...because('permission_missing'), cause })
  if (!mayUseInbox(client)) throw refusal()
  try {
    return await call()
  } catch (error) {
    if (error instanceof PlatformError && missingScopeCodes.includes(error.platformCode ?? '')) throw refusal(error)
    throw error
  }
}
