import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { guardOrigin } from '../../infra/http/guard-origin.ts'
import { problem, type Detail } from '../../infra/problem/problem.ts'
import { clientNetwork } from '../../infra/rate-limit/client-network.ts'
import { createRateLimiter, refuseExceeded } from '../../infra/rate-limit/create-rate-limiter.ts'
import { checkFields } from '../people/check-fields.ts'
import { openSession } from '../people/find-session-holder.ts'
import { isSetupCode, needsSetupCode } from '../people/setup-code.ts'
import { setUpInstall, type NewInstall } from './set-up-install.ts'

const attemptsPerMinute = 20
const fields = { name: 100, email: 254, password: 1000, workspace: 100, timezone: 64, setupCode: 40 } as const
const required = ['name', 'email', 'password', 'workspace'] as const

/** Creates the first account of an install and its workspace, and signs in. It works only while nobody can sign in. */
export function firstRunRoutes(app: FastifyInstance, ctx: Context): void {
  const byNetwork = createRateLimiter(ctx, 'first-run', attemptsPerMinute)
  app.post('/auth/first-run', async (request, reply) => {
    guardOrigin(ctx.config, request)
    refuseExceeded(await byNetwork.count(clientNetwork(request.ip)))
    const { install, code } = readInstall(request)
    if (needsSetupCode(ctx.config, request) && !isSetupCode(ctx.config, code)) throw problem('setup_code_wrong')
    const created = await setUpInstall(ctx, install, request.id)
    await openSession(ctx, { request, reply }, install)
    return reply.status(201).send({ success: true, data: created })
  })
}

function readInstall({ body }: FastifyRequest): { install: NewInstall; code: string } {
  const given = checkFields(fields, body)
  const raw = (name: keyof typeof fields) => (typeof given[name] === 'string' ? given[name] : '')
  const text = (name: keyof typeof fields) => raw(name).trim()
  const details: Detail[] = required
    .filter((name) => text(name) === '')
    .map((name) => ({ path: name, message: 'This field is required.' }))
  if (text('email') !== '' && !/^[^\s@]+@[^\s@]+$/.test(text('email')))
    details.push({ path: 'email', message: 'This is not an e-mail address.' })
  if (details.length > 0) throw problem('request_invalid', { details })
  const install = {
    name: text('name'),
    email: text('email').toLowerCase(),
    // A password may begin or end with a space.
    password: raw('password'),
    workspace: text('workspace'),
    timezone: text('timezone') || 'UTC',
  }
  return { install, code: text('setupCode') }
}
