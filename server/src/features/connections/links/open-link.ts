import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { problem } from '../../../infra/problem/problem.ts'
import type { Membership } from '../../members/find-membership.ts'
import { workspaceName } from '../../workspaces/workspace-name.ts'
import { type ConnectFlowRow, findAttempt } from '../connect/connect-flow.store.ts'
import { hashOf } from '../connect/connect-state.ts'
import { isThisBrowser } from '../connect/load-attempt.ts'
import { type ConnectLinkRow, findConnectLink, findLinkByToken } from './connect-link.store.ts'
import { guardLink } from './guard-link.ts'

export type OpenedLink = {
  link: ConnectLinkRow
  workspace: string
  maker: Membership
  /** How the next request names the link: by its secret, or by an attempt of this browser. */
  access: Record<string, string>
}

/** The link that a request opens, while it can be used. */
export async function openLink(ctx: Context, request: FastifyRequest): Promise<OpenedLink> {
  const token = parameter(request, 'token')
  const link = token === null ? await linkOfAttempt(ctx, request) : await findLinkByToken(ctx.db.system, hashOf(token))
  if (!link) throw problem('connect_link_not_found')
  const maker = await guardLink(ctx, ctx.db.system, link)
  const cell = parameter(request, 'cell')
  const access = token === null ? { attempt: parameter(request, 'attempt') ?? '' } : { token, ...(cell !== null && { cell }) }
  return { link, workspace: await workspaceName(ctx.db.system, link.workspace_id), maker, access }
}

async function linkOfAttempt(ctx: Context, request: FastifyRequest): Promise<ConnectLinkRow | undefined> {
  return (await loadLinkAttempt(ctx, request)).link
}

export type LinkAttempt = { flow: ConnectFlowRow; link: ConnectLinkRow }

/**
 * An attempt that a connect link started, for the browser that went to the platform and came back. Nobody has to be signed in: the cookie of
 * this browser is what shows that the owner of the account is here.
 */
export async function loadLinkAttempt(ctx: Context, request: FastifyRequest): Promise<LinkAttempt> {
  const flow = await findAttempt(ctx.db.system, parameter(request, 'attempt') ?? '', new Date(ctx.nowMs()))
  if (!flow || flow.link_id === null || !isThisBrowser(ctx, request, flow)) throw problem('attempt_not_found')
  const link = await findConnectLink(ctx.db.system, { workspaceId: flow.workspace_id, id: flow.link_id })
  if (!link) throw problem('attempt_not_found')
  return { flow, link }
}

export function parameter({ query }: FastifyRequest, name: string): string | null {
  const value: unknown =
    typeof query === 'object' && query !== null ? Object.entries(query).find(([key]) => key === name)?.[1] : null
  return typeof value === 'string' && value.length <= 100 ? value : null
}
