import type { BodyOf, Connection, integrations } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import { Answer, type RequestScope } from '../../../infra/http/request-scope.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { throwConnectProblem } from './connect-method.ts'
import { requireConnector, resolveInstance } from './find-app.ts'
import { linkAccount, readAccount, type VerifiedAccount } from './link-account.ts'
import type { ConnectionHooks } from '../disconnect.ts'
import { openHttp } from '../open-client.ts'
import { describeConnection } from '../present-connection.ts'

type Body = BodyOf<typeof integrations.password>

/** Signs in at the platform with the fields that the user filled in. */
export async function signIn(ctx: Context, platform: string, { fields, instanceUrl: given }: Body): Promise<VerifiedAccount> {
  const { connector, auth } = requireConnector(ctx, platform, 'password')
  const names = auth.fields.map(({ name }) => name)
  const required = auth.fields.filter(({ optional }) => optional !== true).map(({ name }) => name)
  const details = [
    ...required.filter((name) => !fields[name]).map((name) => ({ path: `fields.${name}`, message: 'This field is required.' })),
    ...Object.keys(fields)
      .filter((name) => !names.includes(name))
      .map((name) => ({ path: `fields.${name}`, message: 'This field is not known here.' })),
  ]
  if (details.length > 0) throw problem('request_invalid', { details })
  const instanceUrl = await resolveInstance(ctx, connector, given)
  try {
    const http = openHttp(ctx, connector, { instanceUrl, credentials: null })
    const credentials = await auth.open(http, fields, ctx.nowMs())
    return await readAccount(ctx, connector, { instanceUrl, credentials, isVetted: false })
  } catch (error) {
    return throwConnectProblem(error)
  }
}

export async function connectByPassword(
  scope: RequestScope,
  verified: VerifiedAccount,
  { connectionId, hooks }: Pick<Body, 'connectionId'> & { hooks: ConnectionHooks },
): Promise<Answer<Connection>> {
  const { ctx, tx, principal } = scope
  const destination = { workspaceId: principal.workspaceId, connectionId: connectionId ?? null, hooks }
  const row = await linkAccount(ctx, tx, destination, verified)
  scope.afterCommit(() => ctx.engine.wakeWorkers())
  return new Answer(await describeConnection(scope, row), { subjectId: row.id })
}
