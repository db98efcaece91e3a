import { me, type BodyOf, type Me } from '@carillon/contract'
import { isTimezone } from '@carillon/core'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { serve } from '../../../infra/http/serve.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { loadPersonSettings, updatePersonSettings, type PersonSettings } from './me.store.ts'

/** The settings of the person who sends the request. */
export function meRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, me.get, async ({ tx, principal }) => present(await loadPersonSettings(tx, principal.personId)))
  serve(app, ctx, me.update, (call) => changeSettings(call, call.body))
}

async function changeSettings({ tx, principal }: RequestScope, change: BodyOf<typeof me.update>): Promise<Me> {
  const { locale, timezone, weekStart, hourCycle, theme } = change
  if (timezone && !isTimezone(timezone))
    throw problem('request_invalid', { details: [{ path: 'timezone', message: `"${timezone}" is not an IANA time zone.` }] })
  const row = await updatePersonSettings(tx, principal.personId, {
    ...(locale !== undefined && { locale }),
    ...(timezone !== undefined && { timezone }),
    ...(weekStart !== undefined && { week_start: weekStart }),
    ...(hourCycle !== undefined && { hour_cycle: hourCycle }),
    ...(theme !== undefined && { theme }),
  })
  return present(row)
}

function present({ week_start: weekStart, hour_cycle: hourCycle, ...row }: PersonSettings): Me {
  return { ...row, weekStart, hourCycle }
}
