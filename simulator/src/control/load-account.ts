import type { Call } from '../http/call.ts'
import { textOf, type Fields } from '../http/fields.ts'
import { refuse } from '../http/reply.ts'
import type { Platform } from '../platform.ts'
import type { Account } from '../state/entities.ts'
import type { ControlContext } from './control-route.ts'

export function bodyOf(call: Call): Fields {
  const fields = call.fields
  if (!fields) throw refuse(400, { error: 'the body must be a JSON object' })
  return fields
}

export function loadPlatform({ platforms }: ControlContext, name: unknown): Platform {
  const platform = platforms.get(textOf(name) ?? '')
  if (!platform) throw refuse(400, { error: `platform must be one of ${[...platforms.keys()].join(', ')}` })
  return platform
}

export function loadAccount(control: ControlContext, fields: Fields): { platform: Platform; account: Account } {
  const platform = loadPlatform(control, fields['platform'])
  const { accounts } = platform.context
  const name = textOf(fields['handle']) ?? textOf(fields['account']) ?? ''
  const account = accounts.find(name) ?? accounts.findById(name)
  if (!account) throw refuse(404, { error: `no account ${name} on ${platform.context.name}` })
  return { platform, account }
}
