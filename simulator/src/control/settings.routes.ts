import { isFields, numberOf, type Fields } from '../http/fields.ts'
import { json, refuse } from '../http/reply.ts'
import type { Platform } from '../platform.ts'
import type { PlatformSettings } from '../state/platform-settings.ts'
import type { ControlContext, ControlRoute } from './control-route.ts'
import { bodyOf, loadPlatform } from './load-account.ts'
import { readSettings } from './read-settings.ts'

export function settingRoutes(control: ControlContext): ControlRoute[] {
  const { simulator, platforms } = control
  return [
    {
      method: 'POST',
      path: '/settings',
      answer(call) {
        const fields = bodyOf(call)
        // Without a platform the settings apply to all platforms.
        const chosen = fields['platform'] === undefined ? [...platforms.values()] : [loadPlatform(control, fields['platform'])]
        const changes = chosen.map((platform) => ({ platform, settings: readSettings(platform, fields) }))
        for (const { platform, settings } of changes) apply(platform, settings, fields)
        return json(200, Object.fromEntries(chosen.map((platform) => [platform.context.name, view(platform)])))
      },
    },
    {
      method: 'GET',
      path: '/settings',
      answer: () =>
        json(200, Object.fromEntries([...platforms.values()].map((platform) => [platform.context.name, view(platform)]))),
    },
    {
      method: 'GET',
      path: '/storage',
      answer: () => json(200, { notice: simulator.storageNotice ?? null }),
    },
    {
      method: 'POST',
      path: '/clock',
      answer(call) {
        simulator.advance(numberOf(bodyOf(call)['advanceMs']) ?? 0)
        return json(200, { nowMs: simulator.now() })
      },
    },
    {
      method: 'POST',
      path: '/reset',
      answer() {
        simulator.posts.clear()
        simulator.media.clear()
        simulator.calls.clear()
        simulator.submits.clear()
        simulator.faults.clear()
        simulator.recording.clear()
        simulator.recording.on = false
        simulator.resetClock()
        for (const { context } of platforms.values()) context.reset()
        return json(200, { ok: true })
      },
    },
  ]
}

function apply({ context }: Platform, settings: Partial<PlatformSettings>, fields: Fields): void {
  context.settings = { ...context.settings, ...settings }
  if (typeof fields['rateLimits'] === 'boolean') context.limits.enabled = fields['rateLimits']
  if (!isFields(fields['limits'])) return
  for (const [name, change] of Object.entries(fields['limits'])) {
    const max = isFields(change) ? numberOf(change['max']) : numberOf(change)
    const seconds = isFields(change) ? numberOf(change['windowSeconds']) : undefined
    const windowMs = seconds === undefined ? undefined : seconds * 1000
    if (max === undefined || !context.limits.set(name, { max, windowMs })) {
      throw refuse(400, { error: `limits of ${context.name} are ${Object.keys(context.limits.all()).join(', ')}` })
    }
  }
}

function view({ context }: Platform) {
  const limits = Object.entries(context.limits.all()).map(([name, { max, windowMs, per }]) => [
    name,
    { max, windowSeconds: windowMs / 1000, per },
  ])
  return {
    rateLimits: context.limits.enabled,
    ...context.settings,
    limits: Object.fromEntries(limits),
  }
}
