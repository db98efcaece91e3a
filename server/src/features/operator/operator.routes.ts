import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { isOperator, requireOperator } from './require-operator.ts'
import { readOperatorFigures, readStorageTotals } from './read-operator-figures.ts'

/** For the operator's page of the web app; not part of the API. Programs read `/metrics` on the private port of each process. */
export function operatorRoutes(app: FastifyInstance, ctx: Context): void {
  app.get('/operator/access', async (request) => ({ success: true, data: { isOperator: await isOperator(ctx, request) } }))
  app.get('/operator/figures', async (request) => {
    await requireOperator(ctx, request)
    return { success: true, data: await readOperatorFigures(ctx) }
  })
  app.get('/operator/storage', async (request) => {
    await requireOperator(ctx, request)
    return { success: true, data: await readStorageTotals(ctx) }
  })
}
