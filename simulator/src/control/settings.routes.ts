import { isFields, numberOf, type Fields } from '../http/fields.ts'
import { json, refuse } from '../http/reply.ts'
import type { Platform } from '../platform.ts'
import type { Control, ControlRoute } from './create-control.ts'
import { bodyOf, loadPlatform } from './load-account.ts'

export function settingRoutes(control: Control): ControlRoute[] {
  const { world, platforms } = control
  return [
    {
      method: 'POST',
      path: '/settings',
      answer(call) {
        const fields = bodyOf(call)
        // Without a platform the settings are for all of them.
        const chosen = fields['platform'] === undefined ? [...platforms.values()] : [loadPlatform(control, fields['platform'])]
        for (const platform of chosen) apply(platform, fields)
        return json(200, Object.fromEntries(chosen.map((platform) => [platform.realm.name, view(platform)])))
      },
    },
    {
      method: 'GET',
      path: '/settings',
      answer: () =>
        json(200, Object.fromEntries([...platforms.values()].map((platform) => [platform.realm.name, view(platform)]))),
    },
    {
      method: 'POST',
      path: '/clock',
      answer(call) {
        world.advance(numberOf(bodyOf(call)['advanceMs']) ?? 0)
        return json(200, { nowMs: world.now() })
      },
    },
    {
      method: 'POST',
      path: '/reset',
      answer() {
        world.posts.clear()
        world.media.clear()
        world.calls.clear()
        world.faults.clear()
        world.recording.clear()
        world.recording.on = false
        world.resetClock()
        for (const { realm } of platforms.values()) realm.reset()
        return json(200, { ok: true })
      },
    },
  ]
}

function apply({ realm }: Platform, fields: Fields): void {
  if (typeof fields['rateLimits'] === 'boolean') realm.limits.enabled = fields['rateLimits']
  realm.latencyMs = numberOf(fields['latencyMs']) ?? realm.latencyMs
  realm.processingMs = numberOf(fields['processingMs']) ?? realm.processingMs
  if (!isFields(fields['limits'])) return
  for (const [name, change] of Object.entries(fields['limits'])) {
    const max = isFields(change) ? numberOf(change['max']) : numberOf(change)
    const seconds = isFields(change) ? numberOf(change['windowSeconds']) : undefined
    const windowMs = seconds === undefined ? undefined : seconds * 1000
    if (max === undefined || !realm.limits.set(name, { max, windowMs })) {
      throw refuse(400, { error: `limits of ${realm.name} are ${Object.keys(realm.limits.all()).join(', ')}` })
    }
  }
}

function view({ realm }: Platform) {
  const limits = Object.entries(realm.limits.all()).map(([name, { max, windowMs, per }]) => [
    name,
    { max, windowSeconds: windowMs / 1000, per },
  ])
  return {
    rateLimits: realm.limits.enabled,
    latencyMs: realm.latencyMs,
    processingMs: realm.processingMs,
    limits: Object.fromEntries(limits),
  }
}
